// Files that appeared since the last look at the tree, and could run later or change rights.
import { realpathSync, statSync } from "node:fs";
import { untrustedText } from "../../git/untrusted-file.ts";
import { ifPossible } from "../../system-error.ts";
import type { Found } from "./tree.ts";

/** Only the outermost. A file that is merely hidden by a rule is harmless by itself, and so is what only a new link gives a name. */
export function newIn(after: Found[], isKnown: (entry: Found) => boolean): Found[] {
  const links = new Set(after.filter((entry) => entry.kind === "link" && !isKnown(entry)).map(({ path }) => path));
  const isNamed = ({ through }: Found) => through?.links.some((link) => links.has(link)) !== true;
  const added = after.filter((entry) => entry.rules && isNamed(entry) && !isKnown(entry) && !isOfNewWorktree(entry.path));
  return added.filter(({ path }) => !added.some((outer) => path.startsWith(`${outer.path}/`)));
}

/**
 * Whether it is a file that `git worktree add` writes, as we do for an agent while commands run: what points to its own repository, and the way
 * back of a checkout, which there is nothing to lose of yet.
 */
function isOfNewWorktree(path: string): boolean {
  const [, name] = /\/\.git\/(?:.*\/)?worktrees\/[^/]+\/(commondir|gitdir)$/.exec(path) ?? [];
  return name === "gitdir" || (name === "commondir" && untrustedText(path, 100)?.trim() === "../..");
}

/** Empty if it is missing: it needs no cover, and outside the working directory none can be created. */
export function existing(path: string): { path: string; kind: "file" | "folder" }[] {
  // Most do not exist, and this check takes a hundredth of the time of an exception.
  const found = ifPossible(() => statSync(path, { throwIfNoEntry: false }));
  const real = found && ifPossible(() => realpathSync.native(path));
  return real === undefined ? [] : [{ path: real, kind: found?.isDirectory() ? "folder" : "file" }];
}
