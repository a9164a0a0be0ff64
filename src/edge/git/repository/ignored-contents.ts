// What files that git ignores and a build needs contain, for a copy of the tree on another machine: chosen and guarded like those for a copy on
// this one, and no more than fits.
import { closeSync, fstatSync, lstatSync, readFileSync, readlinkSync } from "node:fs";
import { dirname, isAbsolute, join, normalize } from "node:path";
import type { OwnGit } from "../own-git.ts";
import { type BringOrder, type Brought, type ClosedFiles, closedFiles, wantedFiles } from "./ignored-files.ts";

/** By its path from the root of the tree. A link stays one. */
export type IgnoredFile = { path: string; mode: number; content: Buffer } | { path: string; link: string };

/** `brought`: the files and folders that were named, as far as they came whole; `left`: the others, with the reason. */
export type IgnoredContents = { files: IgnoredFile[]; brought: string[]; left: Brought["left"] };

/** A folder that does not fit is left as a whole. */
export async function ignoredContents(
  git: OwnGit,
  { from, patterns, isHidden, mostBytes }: Pick<BringOrder, "from" | "patterns" | "isHidden"> & { mostBytes: number },
): Promise<IgnoredContents> {
  const closed = closedFiles({ from, isHidden });
  const found: IgnoredContents = { files: [], brought: [], left: [] };
  let room = mostBytes;
  for (const name of await wantedFiles(git, { from, patterns })) {
    const path = name.replace(/\/$/, "");
    const files: IgnoredFile[] = [];
    const rest = taken({ from, path, room, closed }, files);
    if (rest === undefined) found.left.push({ path, why: "it does not fit" });
    else if (files.length === 0) found.left.push({ path, why: "rules hide it from agents, or nothing in it is a file" });
    else {
      found.files.push(...files);
      found.brought.push(path);
      room = rest;
    }
  }
  return found;
}

type Taking = { from: string; path: string; room: number; closed: ClosedFiles };

/** Adds what is at this path. Returns the room that is left; undefined if there is not enough. */
function taken(taking: Taking, files: IgnoredFile[]): number | undefined {
  const { from, path, room, closed } = taking;
  const source = join(from, path);
  const stats = lstatSync(source, { throwIfNoEntry: false });
  if (!stats || closed.has(source, stats)) return room;
  const left = room - Buffer.byteLength(path) - (stats.isFile() ? stats.size : 0);
  if (left < 0) return undefined;
  if (stats.isDirectory()) {
    let rest: number | undefined = left;
    for (const name of closed.names(source)) {
      rest = taken({ ...taking, path: join(path, name), room: rest }, files);
      if (rest === undefined) return undefined;
    }
    return rest;
  }
  const file = stats.isSymbolicLink() ? linkAt(source, path) : stats.isFile() ? fileAt(source, path, closed) : undefined;
  if (file) files.push(file);
  const grown = file && "content" in file ? file.content.length - stats.size : 0;
  return left >= grown ? left - grown : undefined;
}

/** A link out of the tree leads nowhere on another machine, and its text is home's business. */
function linkAt(source: string, path: string): IgnoredFile | undefined {
  const link = readlinkSync(source);
  return isAbsolute(link) || normalize(join(dirname(path), link)).startsWith("..") ? undefined : { path, link };
}

function fileAt(source: string, path: string, closed: ClosedFiles): IgnoredFile | undefined {
  const fd = closed.open(source);
  if (fd === undefined) return undefined;
  try {
    return { path, mode: fstatSync(fd).mode & 0o100 ? 0o700 : 0o600, content: readFileSync(fd) };
  } finally {
    closeSync(fd);
  }
}
