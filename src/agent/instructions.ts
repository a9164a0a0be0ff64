// Instruction files that people write for agents, AGENTS.md and TOOL.md, from the most general folder to the nearest. In a folder with
// neither of them a CLAUDE.md counts.
// Only people write them; they are read once, when a session opens.
import { dirname, join, relative } from "node:path";

export type Instructions = {
  path: string;
  text: string;
  /** The size of the whole file; `text` holds at most `longestBytes` of it. */
  bytes: number;
};

/** A file that is ignored. `why`: a sentence without its full stop that begins with "it". */
export type SkippedInstructions = { path: string; why: string };

/** `skipped`: not a regular file, or one that may not be read. */
export type InstructionFile = { kind: "file"; bytes: Buffer } | { kind: "none" } | { kind: "skipped"; why: string };

export type InstructionFiles = {
  read(path: string): Promise<InstructionFile>;
  /** Whether the folder is the top of a working tree. */
  isRepositoryRoot(folder: string): boolean;
};

const longestBytes = 64 * 1024;

const fileNames = ["AGENTS.md", "TOOL.md"];
const inTheirPlace = "CLAUDE.md";

/** The files of `configDir` first, then from the repository's root down to `cwd`; without a repository, only those of `cwd`. */
export async function loadInstructions(
  files: InstructionFiles,
  { cwd, configDir }: { cwd: string; configDir: string },
): Promise<{ found: Instructions[]; skipped: SkippedInstructions[] }> {
  const folders = [configDir, ...foldersTo(cwd, files)];
  const read = (await Promise.all(folders.map((folder) => readIn(folder, files)))).flat();
  return {
    found: read.flatMap(({ path, file }) => (file.kind === "file" && !isBlank(file.bytes) ? [instructions(path, file.bytes)] : [])),
    skipped: read.flatMap(({ path, file }) => (file.kind === "skipped" ? [{ path, why: file.why }] : [])),
  };
}

async function readIn(folder: string, files: InstructionFiles): Promise<{ path: string; file: InstructionFile }[]> {
  const read = async (name: string) => ({ path: join(folder, name), file: await files.read(join(folder, name)) });
  const found = await Promise.all(fileNames.map(read));
  return found.every(({ file }) => file.kind === "none") ? [await read(inTheirPlace)] : found;
}

/** Their text in the system prompt; empty without any. */
export function instructionsPrompt(all: Instructions[], cwd: string): string {
  return all.map(({ path, text }) => `\n\n<instructions from="${shownPath(path, cwd)}">\n${text.trimEnd()}\n</instructions>`).join("");
}

/** For the user: which files were too long and were cut. */
export function cutInstructions(all: Instructions[], cwd: string): string[] {
  const cut = all.filter(({ bytes }) => bytes > longestBytes);
  return cut.map(
    ({ path, bytes }) =>
      `${shownPath(path, cwd)} has ${bytes} bytes, of which agents are given the first ${longestBytes}. Make it shorter, or put the rest into files that it names.`,
  );
}

/** For the user: which files are ignored, and why. */
export function skippedInstructions(all: SkippedInstructions[], cwd: string): string[] {
  return all.map(({ path, why }) => `${shownPath(path, cwd)} instructs no agent: ${why}.`);
}

function foldersTo(cwd: string, files: InstructionFiles): string[] {
  const above: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    above.unshift(folder);
    if (files.isRepositoryRoot(folder)) return above;
    if (folder === dirname(folder)) return [cwd];
  }
}

function instructions(path: string, bytes: Buffer): Instructions {
  const cut = bytes.length > longestBytes;
  const text = new TextDecoder().decode(bytes.subarray(0, longestBytes));
  const note = `\n[cut: the file has ${bytes.length} bytes, of which ${longestBytes} are here; read the rest when you need it]`;
  return { path, text: cut ? `${text.replace(/\uFFFD$/, "")}${note}` : text, bytes: bytes.length };
}

const isBlank = (bytes: Buffer) => bytes.toString("latin1").trim() === "";

function shownPath(path: string, cwd: string): string {
  const way = relative(cwd, path);
  return way.startsWith("../../..") ? path : way;
}
