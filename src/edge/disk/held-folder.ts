// A folder held open while something is done in it, so that a link swapped into its path meanwhile cannot lead the work elsewhere.
// Each step is a system call of microseconds, made at once: a trip through the thread pool would take many times as long.
import { closeSync, constants, lstatSync, mkdirSync, openSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { codeOf } from "../system-error.ts";

export type HeldFolder = {
  /** A path to this very folder, for the time it is held. */
  self: string;
  /** A path to a name in this very folder, for the time it is held. */
  child(name: string): string;
  /** Throws PathMoved when the folder is no longer where it was taken up. */
  check(): void;
  close(): void;
};

/**
 * `descriptor`: on Linux, `/proc/self/fd/N/name` is the openat(2) that Node lacks; nothing can come between. `recheck`: elsewhere the
 * path is looked up again before each step that counts. That leaves a gap, which on macOS is closed for everything that is opened,
 * since there a flag refuses links in the whole path.
 */
export type Holding = "descriptor" | "recheck";

/** What opening a literal path adds to its flags: O_NOFOLLOW_ANY of macOS (fcntl.h; Node does not name it), else O_NOFOLLOW. */
export const noLinks = process.platform === "darwin" ? 0x20000000 : constants.O_NOFOLLOW;

/** `path` is absolute and free of links, else PathMoved is thrown; a missing folder is the system's ENOENT. */
export function holdFolder(path: string, holding: Holding): HeldFolder {
  const fd = openFolder(path);
  try {
    const self = holding === "descriptor" ? `/proc/self/fd/${fd}` : path;
    const check = () => {
      if (holding === "recheck" && realpathSync.native(path) !== path) throw new PathMoved(path);
    };
    if (holding === "descriptor" && readlinkSync(self) !== path) throw new PathMoved(path);
    check();
    return { self, child: (name) => join(self, name), check, close: () => closeSync(fd) };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** A link in a folder's place is answered with ENOTDIR, as a file there would be; it must not be taken for something missing. */
function openFolder(path: string): number {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | noLinks);
  } catch (error) {
    if (codeOf(error) === "ENOTDIR" && lstatSync(path).isSymbolicLink()) throw new PathMoved(path);
    throw error;
  }
}

/** Holds the folder after making it, and the folders above it, where they are missing. */
export function holdNewFolder(path: string, holding: Holding): HeldFolder {
  try {
    return holdFolder(path, holding);
  } catch (error) {
    if (codeOf(error) !== "ENOENT" || dirname(path) === path) throw error;
  }
  const parent = holdNewFolder(dirname(path), holding);
  try {
    parent.check();
    mkdirSync(parent.child(basename(path)));
  } catch (error) {
    // Another agent made the same folder first: that is as good.
    if (codeOf(error) !== "EEXIST") throw error;
  } finally {
    parent.close();
  }
  return holdFolder(path, holding);
}

/** A link was put into a path between the moment it was judged and the moment it was used. */
export class PathMoved extends Error {
  override name = "PathMoved";
  constructor(path: string) {
    super(`${path} leads elsewhere than it did a moment ago`);
  }
}
