// Opens a file by its name in a held folder, if it is a regular file.
import { hash } from "node:crypto";
import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { basename } from "node:path";
import type { Refused, Version } from "../../tools/disk.ts";
import { type HeldFolder, noLinks, PathMoved } from "./held-folder.ts";
import { rawPath } from "./raw-path.ts";

/** Larger files are not text that a model reads or edits. */
export const maxMegabytes = 32;
const maxBytes = maxMegabytes * 1024 * 1024;

export const versionOf = (bytes: Buffer): Version => hash("sha256", bytes, "hex");

export type Open = { kind: "open"; fd: number; stats: BigIntStats };
export type Opened = Open | { kind: "folder"; path: string } | Refused;

/**
 * Checks before opening, since opening a device may have effects, and again afterwards, since the name may refer to another file by then.
 */
export function openFile(folder: HeldFolder, path: string): Opened {
  const name = rawPath(folder.child(basename(path)));
  const before = lstatSync(name);
  if (before.isSymbolicLink()) throw new PathMoved(path);
  if (before.isDirectory()) return { kind: "folder", path };
  if (!before.isFile()) return refusal(special(before));
  const fd = openSync(name, constants.O_RDONLY | noLinks | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    folder.check();
    const stats = fstatSync(fd, { bigint: true });
    if (stats.isFile()) return { kind: "open", fd, stats };
    closeSync(fd);
    return refusal(special(stats));
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

export function special(stats: { isFIFO(): boolean; isSocket(): boolean }): string {
  const what = stats.isFIFO() ? "a FIFO" : stats.isSocket() ? "a socket" : "a device";
  return `it is ${what}, not a file, and reading or writing it could wait for ever`;
}

/** Undefined if it is larger than the limit. The reported size is not trusted: files in /proc report 0, and a file may grow. */
export function readWhole({ fd, stats }: Open): Buffer | undefined {
  const size = Number(stats.size);
  if (size > maxBytes) return undefined;
  const chunks: Buffer[] = [];
  let total = 0;
  for (;;) {
    const chunk = Buffer.allocUnsafe(Math.max(4096, size + 1 - total));
    const bytesRead = readSync(fd, chunk, 0, chunk.length, null);
    if (bytesRead === 0) return chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, bytesRead));
    total += bytesRead;
    if (total > maxBytes) return undefined;
  }
}

export const refusal = (reason: string): Refused => ({ kind: "refused", reason });
