// The disk under a team's files: whatever is killed, and whenever, a file is the old one or the new one.
import {
  chmodSync,
  close,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import type { BoardDisk } from "../board/disk.ts";
import { sweepTemporaryNames, syncFolder, withTemporaryName, writeNew } from "./durable.ts";
import { codeOf, unless } from "./system-error.ts";

export const disk: BoardDisk = { read, replace, append, publish, move, list, makeFolder, remove, readFrom, size, changedAt };

/** Only what is a file: the open of a FIFO that somebody put there would wait for ever. */
function read(path: string): Buffer | undefined {
  const descriptor = unless("ENOENT", () => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), undefined);
  if (descriptor === undefined) return undefined;
  try {
    const found = fstatSync(descriptor);
    if (found.isFIFO() || found.isSocket() || found.isCharacterDevice()) throw new Error(`Cannot read "${path}": it is not a file`);
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function replace(name: string, text: string, options: { keep?: string; throughLink?: boolean } = {}): void {
  const { keep, throughLink = false } = options;
  const path = throughLink ? unless("ENOENT", () => realpathSync(name), name) : name;
  withTemporaryName(path, (temporary) => {
    writeNew(temporary, text);
    try {
      if (keep !== undefined) keepOld(path, keep);
      renameSync(temporary, path);
    } catch (error) {
      remove(temporary);
      throw error;
    }
  });
  syncFolder(dirname(path));
  sweepTemporaryNames(path);
  if (keep !== undefined) sweepTemporaryNames(keep);
}

/** The old file gets its second name before the new one takes the first: at no moment is there no file. */
function keepOld(path: string, keep: string): void {
  if (size(path) === undefined) return;
  withTemporaryName(keep, (temporary) => {
    linkSync(path, temporary);
    try {
      renameSync(temporary, keep);
    } finally {
      // When a process was killed before its last rename, `keep` and `path` are one file already. Renaming one name
      // of a file over another does nothing and leaves both (POSIX), so the temporary name would stay.
      remove(temporary);
    }
  });
}

function append(path: string, text: string, { durable = false }: { durable?: boolean | "soon" } = {}): void {
  const { descriptor, created } = openForAppend(path);
  let isOpen = true;
  try {
    const bytes = Buffer.from(text);
    const written = writeSync(descriptor, bytes);
    if (written !== bytes.length) {
      const what = `only ${written} of ${bytes.length} bytes were written. Make room on the disk.`;
      throw Object.assign(new Error(`Cannot append to "${path}": ${what}`), { code: "ENOSPC" });
    }
    if (durable === true) fsyncSync(descriptor);
    if (durable === "soon") {
      isOpen = false;
      fsync(descriptor, () => close(descriptor)); // a disk that cannot do it says so at the next write
    }
  } finally {
    if (isOpen) closeSync(descriptor);
  }
  if (durable && created) syncFolder(dirname(path));
}

function openForAppend(path: string): { descriptor: number; created: boolean } {
  const { O_WRONLY, O_APPEND, O_CREAT } = constants;
  try {
    return { descriptor: openSync(path, O_WRONLY | O_APPEND), created: false };
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
  const descriptor = openSync(path, O_WRONLY | O_APPEND | O_CREAT, 0o600);
  fchmodSync(descriptor, 0o600);
  return { descriptor, created: true };
}

function publish(temporary: string, path: string, text: string): boolean {
  // A name that a killed process left may be a second name of a published file: remove it, never write into it.
  remove(temporary);
  writeNew(temporary, text);
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw error;
  } finally {
    remove(temporary);
  }
  syncFolder(dirname(path));
  return true;
}

/** Not synced: a move that a power cut undoes is simply made again by whoever finds the file under its old name. */
function move(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === "ENOENT" && size(from) === undefined) return false;
    throw error;
  }
}

function list(folder: string): string[] {
  return unless("ENOENT", () => readdirSync(folder), []).sort();
}

function makeFolder(path: string): void {
  if (madeOne(path)) return;
  makeFolder(dirname(path));
  if (!madeOne(path)) throw new Error(`Cannot make the folder "${path}": the one above it takes none`);
}

/** False where the folder above is missing. */
function madeOne(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) === "EEXIST" && statSync(path).isDirectory()) return true;
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
  chmodSync(path, 0o700);
  syncFolder(dirname(path));
  return true;
}

function remove(path: string): void {
  unless("ENOENT", () => unlinkSync(path), undefined);
}

function readFrom(path: string, offset: number): { bytes: Buffer; size: number } {
  const descriptor = unless("ENOENT", () => openSync(path, "r"), undefined);
  if (descriptor === undefined) return { bytes: Buffer.alloc(0), size: 0 };
  try {
    const { size } = fstatSync(descriptor);
    const bytes = Buffer.alloc(Math.max(0, size - offset));
    let filled = 0;
    while (filled < bytes.length) {
      const count = readSync(descriptor, bytes, filled, bytes.length - filled, offset + filled);
      if (count === 0) break;
      filled += count;
    }
    return { bytes: bytes.subarray(0, filled), size };
  } finally {
    closeSync(descriptor);
  }
}

/** A path below a file names nothing either. */
function size(path: string): number | undefined {
  return unless("ENOTDIR", () => statSync(path, { throwIfNoEntry: false })?.size, undefined);
}

function changedAt(path: string): Date | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtime;
}
