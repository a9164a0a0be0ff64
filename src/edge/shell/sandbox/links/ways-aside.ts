// What links make of the tree: ways into folders that no look at it visits, since they are large and nobody works in them (installed packages, and
// git's own), and other names of files, by which the person's programs find them and rules hide them.
import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname } from "node:path";
import { rawPath, textOf } from "../../../disk/raw-path.ts";
import { ifPossible } from "../../../system-error.ts";
import { isBelow } from "../closed-folders.ts";
import type { Found, Place } from "../tree.ts";

/** The path of something by links, and where these are, each by its real path. */
export type Through = { path: string; links: string[] };

/** The real path of what is at a path; undefined if nothing is. */
export const endOf = (path: string) => ifPossible(() => textOf(realpathSync.native(rawPath(path), "buffer")));

/** Of the link itself: another one has another, and so has one that was away meanwhile, or leads elsewhere. Undefined if nothing is there. */
export function identityOfLink(path: string): { identity: string; end: string | undefined } | undefined {
  const stats = ifPossible(() => lstatSync(rawPath(path), { bigint: true, throwIfNoEntry: false }));
  const end = endOf(path);
  return stats && { identity: `${stats.dev}:${stats.ino}:${stats.birthtimeNs}:${stats.ctimeNs} ${end ?? ""}`, end };
}

const isFolder = (path: string) => ifPossible(() => lstatSync(rawPath(path), { throwIfNoEntry: false }))?.isDirectory() === true;

/** By its text, whether something is there yet or not: of the links of a way into such a folder, one must name it. */
export function leadsAside(link: string): boolean {
  if (basename(link) === "node_modules") return false; // it is one itself
  const text = ifPossible(() => readlinkSync(rawPath(link), "latin1")) ?? "";
  return /(?:^|\/)(?:node_modules|\.git)(?:\/|$)/i.test(text);
}

/** The folder at its end, if a command could have filled it. `isCovered`: nothing below a folder that is can be new. */
export function whereTo(link: string, roots: string[], isCovered: (folder: string) => boolean): Place[] {
  const path = endOf(link);
  if (path === undefined || !isBelow(path, roots) || !isFolder(path)) return [];
  for (let folder = path; isBelow(folder, roots) && !roots.includes(folder); folder = dirname(folder)) if (isCovered(folder)) return [];
  return [{ path, hidden: false, whole: true }];
}

/** The folder to which the last of these links leads, to be looked at by its name below it. */
export function throughLink(through: Through): Place[] {
  const path = endOf(through.links.at(-1)!);
  return path !== undefined && isFolder(path) ? [{ path, hidden: false, through }] : [];
}

/** Whether a link that hides what is at its end hides more than a file of the tree. */
export const leadsOut = (end: string, roots: string[]): boolean => !isBelow(end, roots) || isFolder(end);

const order = ["normal", "readOnly", "hidden"];

/** With what was found through links: of what has several names, the strictest class counts. */
export function together(entries: Found[], through: Found[]): Found[] {
  const all = new Map<string, Found>();
  for (const entry of [...entries, ...through]) {
    const other = all.get(entry.path);
    const [strict = entry] = other && order.indexOf(other.visibility) >= order.indexOf(entry.visibility) ? [other] : [];
    all.set(
      entry.path,
      other ? { ...strict, rules: other.rules || entry.rules, through: other.rules ? other.through : entry.through } : entry,
    );
  }
  return [...all.values()];
}
