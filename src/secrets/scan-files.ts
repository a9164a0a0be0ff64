// Secrets in files: what `tool secrets scan`, the hook before a commit and the gate before an agent's own commit have in common.
import { secretFile } from "./formats/files.ts";
import { type Scanner, scanWith } from "./secrets.ts";

export type ScannedFile = { path: string; bytes: Buffer };

export type FileFinding = { file: string; line: number; kind: string; masked: string };

export type Scan = {
  findings: FileFinding[];
  files: number;
  /** Not looked into. */
  binaries: number;
  /** Findings on lines that say they are none. */
  allowed: number;
};

export type ScanOptions = {
  scanner: Scanner;
  /**
   * Which files are a finding by their name: `keys`, or also those that have no place in a commit. An `.env` in the tree is where its
   * settings belong, and what is in it is looked at.
   */
  names: "keys" | "commit";
  /** Whether a line's own word that it holds no secret is taken; it is, when not given. */
  marks?: "count" | "are ignored";
  /** What was there before is no finding. */
  isOld?: (secret: string) => Promise<boolean>;
};

/** On a line that has this, nothing is found. */
export const allowMark = "tool:allow-secret";

export async function scanFiles(files: Iterable<ScannedFile> | AsyncIterable<ScannedFile>, options: ScanOptions): Promise<Scan> {
  const scan: Scan = { findings: [], files: 0, binaries: 0, allowed: 0 };
  for await (const file of files) await scanFile(file, options, scan);
  return scan;
}

async function scanFile(file: ScannedFile, { scanner, names, marks = "count", isOld }: ScanOptions, scan: Scan): Promise<void> {
  const { path, bytes } = file;
  scan.files++;
  const binary = bytes.subarray(0, 8192).includes(0);
  const text = binary ? "" : bytes.toString("utf8");
  const named = secretFile(path, text);
  if (named && (names === "commit" || named === "key-file"))
    scan.findings.push({ file: path, line: 1, kind: named, masked: "(the file itself)" });
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
