// The disk under a team's files: after a kill at any moment, a file is the old one or the new one.
import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import type { BoardDisk } from "../../board/disk.ts";
import { codeOf, ifPossible, unless } from "../system-error.ts";
import { isSameFile, naming, ownMode, sweepTemporaryNames, syncFolder, withTemporaryName, writeNew } from "./durable.ts";

export const disk: BoardDisk = diskHere(() => {});

/**
 * `onUnsynced`: a rename or new name in this folder is visible to every reader, but the folder could not be synced, so a power cut could
 * still undo it. That is not an error of the change: callers that treated it as one would repeat the change.
 */
export function diskHere(onUnsynced: (folder: string) => void): BoardDisk {
  const sync = (folder: string) => {
    try {
      syncFolder(folder);
    } catch {
      onUnsynced(folder);
    }
  };
  return {
    read: withRetry(read),
    replace: (path, text, options) => replace({ path, text, sync }, options),
    append: (path, text, options) => append({ path, text, sync }, options),
    publish: (temporary, path, text) => publish(temporary, { path, text, sync }),
    move,
    list: withRetry(list),
    makeFolder,
    remove,
    removeEmptyFolder,
    readFrom: withRetry(readFrom),
    size: withRetry(size),
    changedAt: withRetry(changedAt),
  };
}

type Write = { path: string; text: string; sync: (folder: string) => void };

const attempts = 3;

/** A single failed call says nothing about the file, so the read is repeated at once; an error that repeats is thrown. */
export function withRetry<A extends unknown[], R>(look: (...args: A) => R): (...args: A) => R {
  return (...args) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return look(...args);
      } catch (error) {
        if (attempt === attempts || !["EIO", "EAGAIN", "EINTR", "ESTALE"].includes(codeOf(error) ?? "")) throw error;
      }
    }
  };
}

function read(path: string): Buffer | undefined {
  return reading(path, (descriptor) => readFileSync(descriptor));
}

/** The file's content as `use` reads it; undefined if there is none. Only regular files: opening a FIFO would block forever. */
function reading<T>(path: string, use: (descriptor: number, size: number) => T): T | undefined {
  const descriptor = unless("ENOENT", () => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), undefined);
  if (descriptor === undefined) return undefined;
  try {
    const found = fstatSync(descriptor);
    if (found.isFIFO() || found.isSocket() || found.isCharacterDevice()) throw new Error(`Cannot read "${path}": it is not a file`);
    return use(descriptor, found.size);
  } catch (error) {
    throw naming(path, error);
  } finally {
    closeSync(descriptor);
  }
}

function replace({ path: name, text, sync }: Write, options: Parameters<BoardDisk["replace"]>[2] = {}): void {
  const { keep, throughLink = false, durable = true, shared = false } = options;
  const path = throughLink ? unless("ENOENT", () => realpathSync(name), name) : name;
  const mode = shared ? (modeOf(path) ?? "by umask") : ownMode;
  withTemporaryName(path, (temporary) => {
    writeNew(temporary, text, { durable, mode });
    try {
      if (keep !== undefined) keepOld(path, keep);
      renameSync(temporary, path);
    } catch (error) {
      if (!isMoved(temporary, path)) {
        ifPossible(() => remove(temporary));
        throw error;
      }
    }
  });
  if (durable) sync(dirname(path));
  // Cleaning up says nothing about the write: what is left is swept later.
  ifPossible(() => sweepTemporaryNames(path));
  if (keep !== undefined) ifPossible(() => sweepTemporaryNames(keep));
}

const modeOf = (path: string) => {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && found.mode & 0o777;
};

/** Whether a rename that reported an error was made, as on a network file system: only this process knows the first name. */
function isMoved(from: string, to: string): boolean {
  return ifPossible(() => size(from) === undefined && size(to) !== undefined) === true;
}

/** The old file gets its second name before the new one replaces the first, so that the file exists at every moment. */
function keepOld(path: string, keep: string): void {
  if (size(path) === undefined) return;
  withTemporaryName(keep, (temporary) => {
    linkSync(path, temporary);
    try {
      renameSync(temporary, keep);
    } finally {
      // If a process was killed before its last rename, `keep` and `path` are already one file. Renaming one name of a file over another
      // does nothing and keeps both (POSIX), so the temporary name would remain.
      remove(temporary);
    }
  });
}

function append({ path, text, sync }: Write, { durable = false, shared = false }: Parameters<BoardDisk["append"]>[2] = {}): void {
  const { descriptor, created } = openForAppend(path, shared);
  let isOpen = true;
  try {
    writeWhole(descriptor, { path, text, durable: durable === true });
    if (durable === "soon") {
      isOpen = false;
      // After what the writer does next, such as sending the request that it has recorded: a thread that begins to sync may take its processor.
      // If the disk cannot sync, the next write reports it.
      setImmediate(() => fsync(descriptor, () => ifPossible(() => closeSync(descriptor))));
    }
  } finally {
    if (isOpen) ifPossible(() => closeSync(descriptor));
  }
  if (durable && created) sync(dirname(path));
}

/**
 * Writes all of it, or nothing. Text that begins with a line break goes to a file that several processes append to: there a torn line
 * stays, since others may have written after it, and readers skip it.
 */
function writeWhole(descriptor: number, { path, text, durable }: { path: string; text: string; durable: boolean }): void {
  const bytes = Buffer.from(text);
  let written = 0;
  try {
    // A short write means that the disk is nearly full; the next call throws the reason.
    while (written < bytes.length) written += writeSync(descriptor, bytes, written);
    if (durable) fsyncSync(descriptor);
  } catch (error) {
    if (written > 0 && !text.startsWith("\n")) ifPossible(() => ftruncateSync(descriptor, fstatSync(descriptor).size - written));
    if (written === 0 || written === bytes.length) throw naming(path, error);
    const what = `only ${written} of ${bytes.length} bytes were written. Make room on the disk.`;
    throw Object.assign(new Error(`Cannot append to "${path}": ${what}`), { code: codeOf(error) });
  }
}

/** What is shared is in a tree where commands write, who may have put a link there. */
function openForAppend(path: string, shared: boolean): { descriptor: number; created: boolean } {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK, O_NOFOLLOW } = constants;
  const flags = O_WRONLY | O_APPEND | (shared ? O_NOFOLLOW : 0);
  try {
    return { descriptor: openSync(path, flags | O_NONBLOCK), created: false };
  } catch (error) {
    if (codeOf(error) === "ELOOP") throw Object.assign(new Error(`Cannot append to "${path}": it is a link`), { code: "ELOOP" });
    if (codeOf(error) !== "ENOENT") throw error;
  }
  const descriptor = openSync(path, flags | O_CREAT, shared ? 0o666 : ownMode);
  if (!shared) fchmodSync(descriptor, ownMode);
  return { descriptor, created: true };
}

function publish(temporary: string, { path, text, sync }: Write): boolean {
  // The name may be a hard link to a published file, left by a killed process: remove it, never write into it.
  remove(temporary);
  writeNew(temporary, text);
  try {
    linkSync(temporary, path);
  } catch (error) {
    if (!isSameFile(temporary, path)) {
      if (codeOf(error) === "EEXIST") return false;
      throw error;
    }
  } finally {
    ifPossible(() => remove(temporary));
  }
  sync(dirname(path));
  return true;
}

/** Not synced: if a power cut undoes the move, the next process that finds the file under its old name repeats it. */
function move(from: string, to: string): boolean {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === "ENOENT" && size(from) === undefined) return false;
    if (isMoved(from, to)) return true;
    throw error;
  }
}

function list(folder: string): string[] {
  return unless("ENOENT", () => readdirSync(folder), []).sort();
}

type FolderOptions = NonNullable<Parameters<BoardDisk["makeFolder"]>[1]>;

function makeFolder(path: string, options: FolderOptions = {}): void {
  if (madeOne(path, options)) return;
  makeFolder(dirname(path), { ...options, durable: true });
  if (!madeOne(path, options)) throw new Error(`Cannot make the folder "${path}": no folder can be made in "${dirname(path)}"`);
}

/** False if the parent folder is missing. */
function madeOne(path: string, { durable = true, shared = false }: FolderOptions): boolean {
  try {
    mkdirSync(path, { mode: shared ? 0o777 : 0o700 });
  } catch (error) {
    if (codeOf(error) === "EEXIST" && statSync(path).isDirectory()) return true;
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
  if (!shared) chmodSync(path, 0o700);
  if (durable) syncFolder(dirname(path));
  return true;
}

function remove(path: string): void {
  unless("ENOENT", () => unlinkSync(path), undefined);
}

export function removeEmptyFolder(path: string): void {
  try {
    rmdirSync(path);
  } catch (error) {
    if (!["ENOENT", "ENOTEMPTY", "EEXIST"].includes(codeOf(error) ?? "")) throw error;
  }
}

function readFrom(path: string, offset: number): { bytes: Buffer; size: number } {
  const found = reading(path, (descriptor, size) => {
    const bytes = Buffer.alloc(Math.max(0, size - offset));
    let filled = 0;
    while (filled < bytes.length) {
      const count = readSync(descriptor, bytes, filled, bytes.length - filled, offset + filled);
      if (count === 0) break;
      filled += count;
    }
    return { bytes: bytes.subarray(0, filled), size };
  });
  return found ?? { bytes: Buffer.alloc(0), size: 0 };
}

/** A path below a regular file names nothing either. */
function size(path: string): number | undefined {
  return unless("ENOTDIR", () => statSync(path, { throwIfNoEntry: false })?.size, undefined);
}

function changedAt(path: string): Date | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtime;
}
