// Writing so that a power cut or a kill leaves the whole of it or nothing: the ground under disk.ts and claims.ts.
import { closeSync, fchmodSync, fsyncSync, openSync, readdirSync, unlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { codeOf, unless } from "../system-error.ts";

/**
 * Creates a file that was not there, with all of `text` on the disk, 0600 whatever the umask.
 * Throws EEXIST when the name is taken; after any other error (ENOSPC …) the file is gone again.
 */
export function writeNew(path: string, text: string): void {
  const descriptor = openSync(path, "wx", 0o600);
  try {
    try {
      fchmodSync(descriptor, 0o600);
      writeFileSync(descriptor, text);
      fsyncSync(descriptor);
    } finally {
      closeQuietly(descriptor);
    }
  } catch (error) {
    try {
      unlinkSync(path);
    } catch {
      // the first fault is the one to tell; the name is swept later
    }
    throw error;
  }
}

/** What was synced is on the disk, whatever the close says; what was not has a fault to tell already. */
function closeQuietly(descriptor: number): void {
  try {
    closeSync(descriptor);
  } catch {
    // the descriptor is gone in any case (close(2))
  }
}

/** Makes the names in a folder durable: a new or renamed file is only as safe as its folder. */
export function syncFolder(path: string): void {
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeQuietly(descriptor);
  }
}

/**
 * Calls `use` with a name beside `path` that nobody else has: process id and a counter. A name that is there already is
 * passed over, never written into: it may be a hard link to a file that counts.
 */
export function withTemporaryName(path: string, use: (temporary: string) => void): void {
  for (let counter = 0; ; counter++) {
    try {
      use(`${path}.${process.pid}.${counter}.tmp`);
      return;
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
  }
}

/** Removes the temporary names beside `path` of processes that were killed before they could. */
export function sweepTemporaryNames(path: string): void {
  const start = `${basename(path)}.`;
  for (const name of readdirSync(dirname(path))) {
    const pid = name.startsWith(start) && /^(\d+)\.\d+\.tmp$/.exec(name.slice(start.length))?.[1];
    if (pid && !exists(Number(pid))) unless("ENOENT", () => unlinkSync(join(dirname(path), name)), undefined);
  }
}

/** Whether any process has that number: enough to leave a file alone, not enough to know whose it is. */
function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) !== "ESRCH";
  }
}
