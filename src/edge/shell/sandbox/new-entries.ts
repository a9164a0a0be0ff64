// What has come up since a look at the tree, and could run later or set rights.
import { readFileSync, realpathSync, statSync } from "node:fs";
import { codeOf } from "../../system-error.ts";
import type { Found } from "./tree.ts";

/** Outermost only. What is merely hidden by a rule does nothing by itself. */
export function newIn(after: Found[], isKnown: (entry: Found) => boolean): Found[] {
  const added = after.filter((entry) => entry.rules && !isKnown(entry) && !isPlainCommondir(entry.path));
  return added.filter(({ path }) => !added.some((outer) => path.startsWith(`${outer.path}/`)));
}

/** What `git worktree add` writes: it leads to the repository that it lies in. */
function isPlainCommondir(path: string): boolean {
  try {
    return /\/\.git\/worktrees\/[^/]+\/commondir$/.test(path) && readFileSync(path, "utf8").trim() === "../..";
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return false;
  }
}

export function existing(path: string): { path: string; kind: "file" | "folder" }[] {
  try {
    // most are not there, which this says in a hundredth of the time that an error takes
    const found = statSync(path, { throwIfNoEntry: false });
    return found ? [{ path: realpathSync.native(path), kind: found.isDirectory() ? "folder" : "file" }] : [];
  } catch {
    // Not there: it needs no cover, and outside the working directory none can be made.
    return [];
  }
}
