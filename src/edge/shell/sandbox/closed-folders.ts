// Folders that cannot be listed, and so may hold anything: those that were so before a command are hidden from it as a whole, and one that
// becomes so while it runs gets its rights back and is looked into.
import { chmodSync, closeSync, constants, fstatSync, openSync, readlinkSync, realpathSync } from "node:fs";
import { noLinks } from "../../disk/held-folder.ts";
import { isRaw, rawPath, textOf } from "../../disk/raw-path.ts";
import { helperProgram } from "../../processes/helper-programs.ts";
import { ifPossible } from "../../system-error.ts";
import type { Opening } from "./tree.ts";

/** Opens each folder that was not closed before. */
export const openedBut =
  (before: string[]): Opening =>
  (path) =>
    !before.includes(path) && ifPossible(() => giveRights(path, 0o500)) === true;

/** Whether it is in one of these folders. */
export const isBelow = (path: string, folders: string[]): boolean => folders.some((folder) => path.startsWith(`${folder}/`));

/** `links`: those that hide what is at their ends. */
type Uncoverable = { closed: string[]; covered: string[]; links: { path: string; end: string }[] };

/** Whether no command can run without this place: it works in it, or its shell is started from it. */
export function isNeeded(place: string, writable: string[]): boolean {
  const bash = helperProgram("bash");
  const needed = ["/proc", "/dev/null", "/usr/lib", "/lib", "/lib64", ...loaders, ...(bash.kind === "found" ? [bash.path] : [])];
  const real = needed.flatMap((path) => ifPossible(() => realpathSync.native(path)) ?? []);
  return place === "/" || [...writable, ...needed, ...real].some((path) => path === place || path.startsWith(`${place}/`));
}

const loaders = ["/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"];

/**
 * Why no command may run: what cannot be listed is covered by an empty mount, which a folder in which the command works cannot be, and no
 * mount can be made at a path that is not UTF-8. Undefined if it may.
 */
export function whyRefused({ closed, covered, links }: Uncoverable, writable: string[]): string | undefined {
  const path = closed.find((each) => writable.some((folder) => each === folder || each === `${folder}/.git`));
  if (path !== undefined)
    return `${path} cannot be listed, so what a command must not see or change in it cannot be protected. Give yourself that right: chmod u+rx ${path}`;
  const link = links.find(({ end }) => isNeeded(end, writable));
  if (link !== undefined)
    return `${link.path.toWellFormed()} leads to ${link.end.toWellFormed()}, which cannot be hidden from commands, because they need it. Remove that link`;
  const raw = covered.find(isRaw);
  return raw === undefined
    ? undefined
    : `${raw.toWellFormed()} cannot be protected from commands, because its path is not UTF-8. Rename it, or what is around it`;
}

/**
 * Gives the person these rights to a folder of theirs; false if it is not at its path any more. Opened for its name alone (O_PATH of Linux,
 * which Node does not name), it needs no right to be read. Not through a link.
 */
export function giveRights(path: string, rights: number): boolean {
  const flags = process.platform === "linux" ? 0x200000 | constants.O_NOFOLLOW : noLinks;
  const fd = openSync(rawPath(path), constants.O_DIRECTORY | flags);
  try {
    const self = process.platform === "linux" ? `/proc/self/fd/${fd}` : rawPath(path);
    if (process.platform === "linux" && textOf(readlinkSync(self, "buffer")) !== path) return false;
    chmodSync(self, (fstatSync(fd).mode & 0o7777) | rights);
    return true;
  } finally {
    closeSync(fd);
  }
}
