// Reads what somebody else may have put there: the files of a repository. Only regular files, through no link, and no more than a limit; a
// pipe or a device is neither opened for waiting nor read without an end.
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from "node:fs";
import { rawPath } from "../disk/raw-path.ts";
import { codeOf } from "../system-error.ts";

/** `refused`: something is there that we do not read; `why` ends a sentence that begins with the path. */
export type UntrustedRead = { kind: "read"; bytes: Buffer } | { kind: "absent" } | { kind: "refused"; why: string };

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants;

/** `most`: bytes; a larger file is refused. `from`: where to begin. */
export function readUntrusted(path: string, { most, from = 0 }: { most: number; from?: number }): UntrustedRead {
  const refused = whyUnread(lstatSync(rawPath(path), { throwIfNoEntry: false }), "file");
  if (refused === "absent") return { kind: "absent" };
  if (refused !== undefined) return { kind: "refused", why: refused };
  try {
    return readOpened(openSync(rawPath(path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY), { most, from });
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return { kind: "absent" };
    if (code === undefined) throw error;
    return { kind: "refused", why: `cannot be read (${code})` };
  }
}

function readOpened(descriptor: number, { most, from }: { most: number; from: number }): UntrustedRead {
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return { kind: "refused", why: "is no file" };
    const size = Math.max(0, stats.size - from);
    if (size > most) return { kind: "refused", why: `has more than ${most} bytes` };
    const bytes = Buffer.alloc(size);
    let filled = 0;
    for (let read = 1; filled < size && read > 0; filled += read) read = readSync(descriptor, bytes, filled, size - filled, from + filled);
    return { kind: "read", bytes: bytes.subarray(0, filled) };
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
