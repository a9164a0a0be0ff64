// Stand-ins for hidden files that git tracks: with the size, time and mode from its index, so that git considers them unchanged
// without opening them.
import { chmodSync, closeSync, ftruncateSync, lutimesSync, mkdirSync, openSync, rmSync, symlinkSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import type { TrackedFile } from "../../../agent/ports/repository-port.ts";
import { codeOf } from "../../system-error.ts";

/** A hidden file or folder. */
type Place = { path: string; kind: "file" | "folder" };

export type Decoys = {
  /** The path of the decoy for this place; undefined if git tracks nothing there, or too much. */
  of(place: Place): string | undefined;
  close(): void;
};

/** A folder with more files gets none: it appears empty. */
const mostFiles = 5_000;

/** `folder`: belongs to this agent, created on first use. `tracked`: the current list, a new object whenever it changes. */
export function decoys(folder: string, tracked: () => TrackedFile[]): Decoys {
  const made = new Map<string, { of: TrackedFile[]; key: string; at: string | undefined }>();
  let count = 0;
  return {
    of(place) {
      const all = tracked();
      const before = made.get(place.path);
      if (before?.of === all) return before.at;
      const files = all.length === 0 ? [] : filesAt(place, all);
      const key = JSON.stringify(files.map((file) => [file.path, file.mode, file.size, file.mtime]));
      const isSame = before?.key === key;
      // background commands keep the previous one
      const at = isSame ? before.at : make(join(folder, String(++count)), place, files);
      made.set(place.path, { of: all, key, at });
      return at;
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function filesAt({ path, kind }: Place, tracked: TrackedFile[]): TrackedFile[] {
  return tracked.filter((file) => (kind === "file" ? file.path === path && isPlain(file) : file.path.startsWith(`${path}/`)));
}

const isPlain = ({ mode }: TrackedFile) => mode.startsWith("100");

function make(at: string, place: Place, files: TrackedFile[]): string | undefined {
  if (files.length === 0 || files.length > mostFiles) return undefined;
  try {
    rmSync(at, { recursive: true, force: true }); // left by a killed process
    fill(at, place, files);
    return at;
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined; // the disk is full: git considers the file deleted, and its hook keeps that out of commits
  }
}

function fill(at: string, { path, kind }: Place, files: TrackedFile[]): void {
  mkdirSync(kind === "folder" ? at : dirname(at), { recursive: true, mode: 0o700 });
  for (const file of files) {
    const place = kind === "file" ? at : join(at, file.path.slice(path.length + 1));
    mkdirSync(file.mode === "160000" ? place : dirname(place), { recursive: true, mode: 0o700 });
    if (isPlain(file)) makeFile(place, file);
    if (file.mode === "120000") makeLink(place, file);
  }
}

/**
 * Not readable, so that its zeros are not mistaken for the content; but for settings of the environment, without which programs go on and which Vite
 * gives up if it cannot read: there it is a comment.
 */
function makeFile(at: string, { path, mode, size, mtime }: TrackedFile): void {
  const isReadable = /\/\.env[^/]*$/.test(path) && size <= mostComment;
  const file = openSync(at, "wx", 0o200);
  if (isReadable) writeSync(file, commentOf(size));
  else ftruncateSync(file, size);
  closeSync(file);
  chmodSync(at, (mode === "100755" ? 0o100 : 0) + (isReadable ? 0o400 : 0));
  lutimesSync(at, mtime, mtime);
}

const mostComment = 64 * 1024;

function commentOf(size: number): string {
  const text = "# what this file has is hidden from commands in the sandbox";
  return size === 0 ? "" : `${text.slice(0, size - 1).padEnd(size - 1)}\n`;
}

/** git compares the length of the target. */
function makeLink(at: string, { size, mtime }: TrackedFile): void {
  if (size === 0 || size > 4_000) return;
  symlinkSync("x".repeat(size), at);
  lutimesSync(at, mtime, mtime);
}
