// Secrets in files: shared by `tool secrets scan`, the hook before a commit, and the gate before an agent's own commit.
import { secretFile } from "./formats/files.ts";
import { type Scanner, scanWith } from "./secrets.ts";

/** `isCut`: it is larger than 20 MB, and these are only the first bytes. */
export type ScannedFile = { path: string; bytes: Buffer; isCut?: true };

/** A file or folder that the system does not let us read. */
export type UnreadPath = { path: string; why: string };

/** A file or a whole folder, with a slash at its end, that git ignores, below a folder that is scanned. */
export type IgnoredPath = { path: string; ignored: true };

export type FileFinding = { file: string; line: number; kind: string; masked: string };

export type Scan = {
  findings: FileFinding[];
  files: number;
  /** Files that were not scanned because they are binary. */
  binaries: number;
  /** What could not be read, and texts that are too large: they may have secrets. */
  unread: UnreadPath[];
  /** What was left out because git ignores it. */
  ignored: string[];
  /** Findings on lines with the allow mark. */
  allowed: number;
};

export type ScanOptions = {
  scanner: Scanner;
  /**
   * Which file names are findings: `keys`, or also names that do not belong in a commit. A `.env` file in the tree is normal, so its
   * contents are scanned instead.
   */
  names: "keys" | "commit";
  /** Whether the allow mark on a line counts; by default it does. */
  marks?: "count" | "are ignored";
  /** Whether the secret was there before; an old one is not a finding. */
  isOld?: (secret: string) => Promise<boolean>;
};

/** A line with this mark has no findings. */
export const allowMark = "tool:allow-secret";

type Source = ScannedFile | UnreadPath | IgnoredPath;

export async function scanFiles(files: Iterable<Source> | AsyncIterable<Source>, options: ScanOptions): Promise<Scan> {
  const scan: Scan = { findings: [], files: 0, binaries: 0, unread: [], ignored: [], allowed: 0 };
  for await (const file of files) {
    if ("why" in file) scan.unread.push(file);
    else if ("ignored" in file) scan.ignored.push(file.path);
    else await scanFile(file, options, scan);
  }
  return scan;
}

async function scanFile(file: ScannedFile, { scanner, names, marks = "count", isOld }: ScanOptions, scan: Scan): Promise<void> {
  const { path, bytes, isCut } = file;
  const binary = bytes.subarray(0, 8192).includes(0);
  const text = binary ? "" : bytes.toString("utf8");
  const named = secretFile(path, text);
  if (named && (names === "commit" || named === "key-file"))
    scan.findings.push({ file: path, line: 1, kind: named, masked: "(the file itself)" });
  if (isCut && !binary) {
    scan.unread.push({ path, why: "it is larger than 20 MB; to scan it, pass it on standard input: tool secrets scan -" });
    return;
  }
  scan.files++;
  if (binary) {
    scan.binaries++;
    return;
  }
  const lines = text.split("\n");
  for (const { kind, line, masked, start, end } of await scanWith(scanner, text, { path })) {
    if (await isOld?.(text.slice(start, end))) continue;
    if (marks === "count" && lines[line - 1]?.includes(allowMark)) scan.allowed++;
    else scan.findings.push({ file: path, line, kind, masked });
  }
}

/** `src/a.ts:3  github-token  ghp_… (40 characters)` */
export function findingLine({ file, line, kind, masked }: FileFinding): string {
  return `${file}:${line}  ${kind}  ${masked}`;
}
