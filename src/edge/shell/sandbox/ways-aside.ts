// Ways into folders that no look at the tree visits, since they are large and nobody works in them: installed packages, and git's own. A link
// gives what lies there another place, in which the person's programs find it.
import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import { basename, dirname } from "node:path";
import { rawPath, textOf } from "../../disk/raw-path.ts";
import { ifPossible } from "../../system-error.ts";
import { isBelow } from "./closed-folders.ts";
import type { Place } from "./tree.ts";

/** By its text, whether something is there yet or not: of the links of a way into such a folder, one must name it. */
export function leadsAside(link: string): boolean {
  if (basename(link) === "node_modules") return false; // it is one itself
  const text = ifPossible(() => readlinkSync(rawPath(link), "latin1")) ?? "";
  return /(?:^|\/)(?:node_modules|\.git)(?:\/|$)/i.test(text);
}

/** The folder at its end, if a command could have filled it. `isCovered`: nothing below a folder that is can be new. */
export function whereTo(link: string, roots: string[], isCovered: (folder: string) => boolean): Place[] {
  const path = ifPossible(() => textOf(realpathSync.native(rawPath(link), "buffer")));
  if (path === undefined || !isBelow(path, roots) || !lstatSync(rawPath(path)).isDirectory()) return [];
  for (let folder = path; isBelow(folder, roots) && !roots.includes(folder); folder = dirname(folder)) if (isCovered(folder)) return [];
  return [{ path, hidden: false, whole: true }];
}
