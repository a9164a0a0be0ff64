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
 * Those that exist below `folders`, linked by these repositories, named by their `.git`, or by those around `folders`, and by all worktrees of each. A
 * link may lead anywhere: git follows `..` in it, and a path from the root. Throws UnreadIndex.
 */
export function linkedRepositories(folders: string[]): (repositories: string[]) => LinkedRepository[] {
  const linksOf = gitlinks();
  const around = folders.flatMap((folder) => topOf(folder) ?? []).map((top) => `${top}/.git`);
  return (repositories) => {
    const indexes = new Map([...around, ...repositories].flatMap(indexesOf).map(({ gitDir, of }) => [gitDir, of]));
    const { links, unread } = linksOf([...indexes.keys()]);
    if (unread.length > 0) throw new UnreadIndex(unread, folders);
    return [...indexes.values()].flatMap((of, at) =>
      links[at]!.flatMap((link) => {
        const folder = resolve(dirname(of), link);
        if (!ifPossible(() => lstatSync(rawPath(`${folder}/.git`), { throwIfNoEntry: false }))) return [];
        const path = `${realOf(folder)}/.git`;
        return isBelow(path, folders) ? { path, of } : [];
      }),
    );
  };
}

/**
 * Which links git would follow is not known. `files`: the indexes that say it, as far as they are below `folders`. The message says why, to end a
 * sentence with.
 */
export class UnreadIndex extends Error {
  override name = "UnreadIndex";
  readonly files: string[];
  constructor(unread: { path: string; why: string }[], folders: string[]) {
    super(unread.map(({ path, why }) => `${path} ${why}`)[0]);
    const real = unread.map(({ path }) => `${realOf(dirname(path))}/${basename(path)}`);
    this.files = [...new Set(real)].filter((path) => isBelow(path, folders));
  }
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
