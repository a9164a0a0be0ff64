// A folder held open while something is done in it, so that a link swapped into its path cannot redirect the work. Each step is a
// synchronous system call of microseconds: the thread pool would take many times as long.
import { closeSync, constants, lstatSync, mkdirSync, openSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { codeOf } from "../system-error.ts";
import { rawPath, textOf } from "./raw-path.ts";

export type HeldFolder = {
  /** A path to this folder itself, valid while it is held. */
  self: string;
  /** A path to a name in this folder, valid while it is held. */
  child(name: string): string;
  /** Throws PathMoved if the folder is no longer at its path. */
  check(): void;
  close(): void;
};

/**
 * `descriptor`: on Linux, `/proc/self/fd/N/name` is the openat(2) that Node lacks, without any gap. `recheck`: elsewhere the path is
 * checked again before each important step. That leaves a gap, except for opening files on macOS, where a flag refuses links in the whole
 * path.
 */
export type Holding = "descriptor" | "recheck";

export function holdingHere(): Holding {
  return process.platform === "linux" ? "descriptor" : "recheck";
}

/** The extra flags for opening a literal path: O_NOFOLLOW_ANY of macOS (fcntl.h; Node does not name it), else O_NOFOLLOW. */
export const noLinks = process.platform === "darwin" ? 0x20000000 : constants.O_NOFOLLOW;

/** `path` is absolute and has no links, or PathMoved is thrown; a missing folder is ENOENT. */
export function holdFolder(path: string, holding: Holding): HeldFolder {
  const fd = openFolder(path);
  try {
    const self = holding === "descriptor" ? `/proc/self/fd/${fd}` : path;
    const check = () => {
      if (holding === "recheck" && realpathSync.native(path) !== path) throw new PathMoved(path);
    };
    if (holding === "descriptor" && textOf(readlinkSync(self, "buffer")) !== path) throw new PathMoved(path);
    check();
    return { self, child: (name) => join(self, name), check, close: () => closeSync(fd) };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Opening a link instead of a folder fails with ENOTDIR, as for a file; it must not be reported as missing. */
function openFolder(path: string): number {
  try {
    return openSync(rawPath(path), constants.O_RDONLY | constants.O_DIRECTORY | noLinks);
  } catch (error) {
    if (codeOf(error) === "ENOTDIR" && lstatSync(path).isSymbolicLink()) throw new PathMoved(path);
    throw error;
  }
}

/** Holds the folder after creating it and any missing parents. */
export function holdNewFolder(path: string, holding: Holding): HeldFolder {
  try {
    return holdFolder(path, holding);
  } catch (error) {
    if (codeOf(error) !== "ENOENT" || dirname(path) === path) throw error;
  }
  const parent = holdNewFolder(dirname(path), holding);
  try {
    parent.check();
    mkdirSync(rawPath(parent.child(basename(path))));
  } catch (error) {
    // Another agent created the same folder first, which is fine.
    if (codeOf(error) !== "EEXIST") throw error;
  } finally {
    parent.close();
  }
  return holdFolder(path, holding);
}

/** A link was put into a path between the check and the use. */
export class PathMoved extends Error {
  override name = "PathMoved";
  constructor(path: string) {
    super(`${path} leads elsewhere than it did a moment ago`);
  }
}
