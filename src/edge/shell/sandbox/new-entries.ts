// Files that appeared since the last look at the tree, and could run later or change rights.
import { readFileSync, realpathSync, statSync } from "node:fs";
import { codeOf } from "../../system-error.ts";
import type { Found } from "./tree.ts";

/** Only the outermost. A file that is merely hidden by a rule is harmless by itself. */
export function newIn(after: Found[], isKnown: (entry: Found) => boolean): Found[] {
  const added = after.filter((entry) => entry.rules && !isKnown(entry) && !isPlainCommondir(entry.path));
  return added.filter(({ path }) => !added.some((outer) => path.startsWith(`${outer.path}/`)));
}

/** Whether it is the file that `git worktree add` writes, which points to its own repository. */
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
    // most do not exist, and this check takes a hundredth of the time of an exception
    const found = statSync(path, { throwIfNoEntry: false });
    return found ? [{ path: realpathSync.native(path), kind: found.isDirectory() ? "folder" : "file" }] : [];
  } catch {
    // Missing: it needs no cover, and outside the working directory none can be created.
    return [];
  }
}
