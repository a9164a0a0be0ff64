// Markdown files below a folder of definitions. Links out of that folder are not followed, and only regular files are opened.
import { isUtf8 } from "node:buffer";
import { closeSync, constants, type Dirent, fstatSync, openSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import type { DefinitionFiles, FoundFile } from "../../subagents/definitions/definitions.ts";
import { codeOf, ifPossible } from "../system-error.ts";

const mostBytes = 1024 * 1024;
const mostFiles = 5_000;
const deepest = 8;

export const definitionFiles: DefinitionFiles = {
  frontMatter: async () => (await import("./front-matter.ts")).readFrontMatter,
  below(folder) {
    const top = realOf(folder);
    const found: FoundFile[] = [];
    if (top !== undefined) collect({ top, real: top, folder, depth: 0, found });
    return found;
  },
  inFolders(folder, name) {
    const top = realOf(folder);
    if (top === undefined) return [];
    const folders = entriesOf(folder).filter((entry) => entry.isDirectory() || entry.isSymbolicLink());
    return folders.slice(0, mostFiles).flatMap((entry) => {
      const at = join(folder, entry.name);
      const file = entriesOf(at).find((inner) => inner.name.toLowerCase() === name.toLowerCase());
      return file ? [read(join(at, file.name), top)] : [];
    });
  },
  at(path) {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat) return undefined;
    return stat.isDirectory() ? definitionFiles.below(path) : [read(path, dirname(realOf(path) ?? path))];
  },
};

/** `real`: the folder with links resolved. */
type Collecting = { top: string; real: string; folder: string; depth: number; found: FoundFile[] };

function collect({ top, real, folder, depth, found }: Collecting): void {
  for (const entry of entriesOf(folder)) {
    if (found.length >= mostFiles) return;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (depth < deepest) collect({ top, real: join(real, entry.name), folder: path, depth: depth + 1, found });
    } else if (entry.name.toLowerCase().endsWith(".md"))
      found.push(read(path, top, entry.isSymbolicLink() ? undefined : join(real, entry.name)));
  }
}

/** A missing or unreadable folder has no definitions. */
function entriesOf(folder: string): Dirent[] {
  const entries = ifPossible(() => readdirSync(folder, { withFileTypes: true })) ?? [];
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Follows a link only inside the folder. `known`: the real path, if the file is known not to be a link. */
function read(path: string, top: string, known?: string): FoundFile {
  const real = known ?? realOf(path);
  if (real === undefined) return { path, why: "it is a link that leads nowhere" };
  if (!real.startsWith(top === sep ? sep : `${top}${sep}`)) return { path, why: "it is a link that leads out of its folder" };
  try {
    const descriptor = openSync(real, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    try {
      const stat = fstatSync(descriptor);
      if (!stat.isFile()) return { path, why: "it is not a regular file" };
      if (stat.size > mostBytes) return { path, why: `it has ${stat.size} bytes, and at most ${mostBytes} are read` };
      const bytes = readFileSync(descriptor);
      if (!isUtf8(bytes) || bytes.includes(0)) return { path, why: "it is not UTF-8 text" };
      return { path, text: bytes.toString("utf8") };
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    return { path, why: `it cannot be read (${codeOf(error) ?? "unknown error"})` };
  }
}

const realOf = (path: string) => ifPossible(() => realpathSync(path));
