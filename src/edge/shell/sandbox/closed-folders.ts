// Folders that cannot be listed, and so may hold anything: those that were so before a command are hidden from it as a whole, and one that
// becomes so while it runs gets its rights back and is looked into.
import { chmodSync, closeSync, constants, fstatSync, openSync, readlinkSync } from "node:fs";
import { noLinks } from "../../disk/held-folder.ts";
import { ifPossible } from "../../system-error.ts";
import type { Opening } from "./tree.ts";

/** Opens each folder that was not closed before. */
export const openedBut =
  (before: string[]): Opening =>
  (path) =>
    !before.includes(path) && ifPossible(() => letList(path)) === true;

/** Whether it is in one of these folders. */
export const isBelow = (path: string, folders: string[]): boolean => folders.some((folder) => path.startsWith(`${folder}/`));

/**
 * Why no command may run: what cannot be listed is covered by an empty mount, which a folder in which the command works cannot be. Undefined
 * if it may.
 */
export function whyRefused(closed: string[], writable: string[]): string | undefined {
  const path = closed.find((each) => writable.some((folder) => each === folder || each === `${folder}/.git`));
  return (
    path &&
    `${path} cannot be listed, so what a command must not see or change in it cannot be protected. Give yourself that right: chmod u+rx ${path}`
  );
}

/** Opened for its name alone (O_PATH of Linux, which Node does not name), a folder needs no right to be read. Not through a link. */
function letList(path: string): boolean {
  const flags = process.platform === "linux" ? 0x200000 | constants.O_NOFOLLOW : noLinks;
  const fd = openSync(path, constants.O_DIRECTORY | flags);
  try {
    const self = process.platform === "linux" ? `/proc/self/fd/${fd}` : path;
    if (self !== path && readlinkSync(self) !== path) return false;
    chmodSync(self, (fstatSync(fd).mode & 0o7777) | 0o500);
    return true;
  } finally {
    closeSync(fd);
  }
}
