// Writes that survive a power cut or a kill whole or not at all: used by disk.ts and claims.ts.
import { closeSync, fchmodSync, fsyncSync, openSync, readdirSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { codeOf, ifPossible, unless } from "../system-error.ts";

/** Of files about people's work: nobody else reads them. */
export const ownMode = 0o600;

/**
 * Creates a new file with all of `text`, synced to disk if it is to be durable, with that mode whatever the umask. Throws EEXIST if the name is taken; after any other
 * error (ENOSPC …) the file is removed again.
 */
export function writeNew(
  path: string,
  text: string | Buffer,
  { durable = true, mode = ownMode }: { durable?: boolean; mode?: number | "by umask" } = {},
): void {
  const descriptor = openSync(path, "wx", mode === "by umask" ? 0o666 : ownMode);
  try {
    try {
      if (mode !== "by umask") fchmodSync(descriptor, mode);
      writeFileSync(descriptor, text);
      if (durable) fsyncSync(descriptor);
    } finally {
      closeQuietly(descriptor);
    }
  } catch (error) {
    ifPossible(() => unlinkSync(path)); // the first error is the one to report; the name is swept later
    throw naming(path, error);
  }
}

/** Synced bytes are on the disk even if close fails, and the descriptor is gone (close(2)); if syncing failed, that error is thrown. */
const closeQuietly = (descriptor: number) => ifPossible(() => closeSync(descriptor));

/** Makes the names in a folder durable: a new or renamed file is only as durable as its folder. */
export function syncFolder(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } catch (error) {
    throw naming(path, error);
  } finally {
    closeQuietly(descriptor);
  }
}

/** A network file system may report an error of a link that it made: then both names are one file. */
export function isSameFile(one: string, other: string): boolean {
  const identity = (path: string) => {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev} ${ino}`;
  };
  return ifPossible(() => identity(one) === identity(other)) === true;
}

/** The error with the path that the person knows: not a temporary name, nor the number of an open file. */
export function naming(path: string, error: unknown): unknown {
  return error instanceof Error && codeOf(error) ? Object.assign(error, { path }) : error;
}

/** Like `writeFileSync`, whose error of a full disk names no file. */
export function writeNamed(path: string, content: string | Buffer, mode = ownMode): void {
  try {
    writeFileSync(path, content, { mode });
  } catch (error) {
    throw naming(path, error);
  }
}

/**
 * Calls `use` with a temporary name beside `path`, unique by process id and counter. An existing name is skipped, never written into: it
 * may be a hard link to a file that is in use.
 */
export function withTemporaryName(path: string, use: (temporary: string) => void): void {
  for (let counter = 0; ; counter++) {
    try {
      use(`${path}.${process.pid}.${counter}.tmp`);
      return;
    } catch (error) {
      if (codeOf(error) === "EEXIST") continue;
      throw naming(path, error);
    }
  }
}

/** Removes temporary names beside `path` that killed processes left. */
export function sweepTemporaryNames(path: string): void {
  const start = `${basename(path)}.`;
  for (const name of readdirSync(dirname(path))) {
    const pid = name.startsWith(start) && /^(\d+)\.\d+\.tmp$/.exec(name.slice(start.length))?.[1];
    if (pid && !exists(Number(pid))) unless("ENOENT", () => unlinkSync(join(dirname(path), name)), undefined);
  }
}

/** Whether any process has that id: enough to leave a file alone, but not to know that it is the same process. */
function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) !== "ESRCH";
  }
}
