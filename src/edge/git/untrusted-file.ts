// Reads what somebody else may have put there: the files of a repository. Only regular files, through no link, and no more than a limit; a
// pipe or a device is neither opened for waiting nor read without an end.
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from "node:fs";
import { rawPath } from "../disk/raw-path.ts";
import { codeOf, ifPossible } from "../system-error.ts";

/** `isCut`: it is larger. `refused`: something is there that we do not read; `why` ends a sentence that begins with the path; `code` is the system's. */
export type UntrustedRead =
  | { kind: "read"; bytes: Buffer; isCut?: true }
  | { kind: "absent" }
  | { kind: "refused"; why: string; code?: string };

/** `most`: bytes; of a larger file `head` are read, and it is refused without. `from`: where to begin. */
type Part = { most: number; head?: number; from?: number };

/** Bytes of a file with conflict markers: git merges no larger one line by line. */
export const mostMarked = 1024 * 1024 * 1024;

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants;

/** What is there, itself and not where a link leads; undefined if nothing is, or nothing that can be seen, as below a file. */
export const entryAt = (path: string): Stats | undefined => ifPossible(() => lstatSync(rawPath(path)));

export function readUntrusted(path: string, part: Part): UntrustedRead {
  try {
    const refused = whyUnread(lstatSync(rawPath(path), { throwIfNoEntry: false }), "file");
    if (refused === "absent") return { kind: "absent" };
    if (refused !== undefined) return { kind: "refused", why: refused };
    return readOpened(openSync(rawPath(path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY), part);
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return { kind: "absent" };
    if (code === undefined) throw error;
    return { kind: "refused", why: `cannot be read (${code})`, code };
  }
}

function readOpened(descriptor: number, { most, head, from = 0 }: Part): UntrustedRead {
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return { kind: "refused", why: "is no file" };
    const isCut = stats.size - from > most;
    if (isCut && head === undefined) return { kind: "refused", why: `has more than ${most} bytes` };
    const size = isCut ? head! : Math.max(0, stats.size - from);
    const bytes = Buffer.alloc(size);
    let filled = 0;
    for (let read = 1; filled < size && read > 0; filled += read) read = readSync(descriptor, bytes, filled, size - filled, from + filled);
    return { kind: "read", bytes: bytes.subarray(0, filled), ...(isCut && { isCut }) };
  } finally {
    closeSync(descriptor);
  }
}

/** Its text if it is a regular file of at most `most` bytes; undefined otherwise. */
export function untrustedText(path: string, most: number): string | undefined {
  const found = readUntrusted(path, { most });
  return found.kind === "read" ? found.bytes.toString("utf8") : undefined;
}

/** Why an entry of a repository is not used: undefined if it is a plain file or folder, as wanted. */
export function whyUnread(stats: Stats | undefined, wanted: "file" | "folder"): string | undefined {
  if (stats === undefined) return "absent";
  if (wanted === "file" ? stats.isFile() : stats.isDirectory()) return undefined;
  if (stats.isSymbolicLink()) return "is a link";
  return `is no ${wanted}`;
}
