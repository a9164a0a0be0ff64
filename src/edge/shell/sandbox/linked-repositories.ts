// The repositories into which git looks from another one, because its index has a link to their folder: wherever they lie, settings in them
// name programs that run at the person's next `git status`.
import { lstatSync, realpathSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { rawPath, textOf } from "../../disk/raw-path.ts";
import { linkedWorktrees, topOf } from "../../git/places.ts";
import { gitlinks } from "../../git/repository/gitlinks.ts";
import { untrustedText } from "../../git/untrusted-file.ts";
import { ifPossible } from "../../system-error.ts";
import { isBelow } from "./closed-folders.ts";

/** `path`: where a `.git` is or would be; `of`: the `.git` of the repository with the link. */
export type LinkedRepository = { path: string; of: string };

/**
 * Those below `folders`, linked by these repositories, named by their `.git`, or by those around `folders`, and by all worktrees of each. A
 * link may lead anywhere: git follows `..` in it, and a path from the root.
 */
export function linkedRepositories(folders: string[]): (repositories: string[]) => LinkedRepository[] {
  const linksOf = gitlinks();
  const around = folders.flatMap((folder) => topOf(folder) ?? []).map((top) => `${top}/.git`);
  return (repositories) => {
    const indexes = new Map([...around, ...repositories].flatMap(indexesOf).map(({ gitDir, of }) => [gitDir, of]));
    return [...indexes].flatMap(([gitDir, of]) =>
      linksOf(gitDir).flatMap((link) => {
        const folder = realOf(resolve(dirname(of), link));
        const path = `${folder}/.git`;
        return folder !== undefined && isBelow(path, folders) ? { path, of } : [];
      }),
    );
  };
}

type Index = { gitDir: string; of: string };

/** Of a repository and of all its worktrees: a command that can write one of them can write the others. */
function indexesOf(of: string): Index[] {
  const gitDir = gitDirOf(of);
  if (gitDir === undefined) return [];
  const common = basename(dirname(gitDir)) === "worktrees" ? dirname(dirname(gitDir)) : gitDir;
  const worktrees = linkedWorktrees(common).map(({ gitDir: folder, file }) => ({ gitDir: folder, of: file }));
  return [{ gitDir: common, of: common }, ...worktrees, { gitDir, of }];
}

/** As git follows it: nothing here is believed. */
function gitDirOf(path: string): string | undefined {
  const stats = ifPossible(() => lstatSync(rawPath(path), { throwIfNoEntry: false }));
  if (stats?.isSymbolicLink()) return realOf(path);
  if (!stats?.isFile()) return stats && path;
  const named = /^gitdir: (.+?)[\r\n]*$/.exec(untrustedText(path, 8192) ?? "")?.[1];
  return named && resolve(dirname(path), named);
}

/** Undefined if nothing is there. */
const realOf = (path: string) => ifPossible(() => textOf(realpathSync.native(rawPath(path), "buffer")));
