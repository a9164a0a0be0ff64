// The repositories into which git looks from another one, because its index has a link to their folder: wherever they lie, settings in them
// name programs that run at the person's next `git status`.
import { lstatSync, realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { rawPath, textOf } from "../../disk/raw-path.ts";
import { topOf } from "../../git/places.ts";
import { gitlinks } from "../../git/repository/gitlinks.ts";
import { untrustedText } from "../../git/untrusted-file.ts";
import { ifPossible } from "../../system-error.ts";
import { isBelow } from "./closed-folders.ts";

/** `path`: where a `.git` is or would be; `of`: the `.git` of the repository with the link. */
export type LinkedRepository = { path: string; of: string };

/** Those below `folders`, linked by these repositories, named by their `.git`, or by those around `folders`. */
export function linkedRepositories(folders: string[]): (repositories: string[]) => LinkedRepository[] {
  const linksOf = gitlinks();
  const around = folders.flatMap((folder) => topOf(folder) ?? []).map((top) => `${top}/.git`);
  return (repositories) =>
    [...new Set([...around, ...repositories])].flatMap((of) => {
      const gitDir = gitDirOf(of);
      const links = gitDir === undefined ? [] : linksOf(`${gitDir}/index`);
      return links.map((link) => ({ path: `${dirname(of)}/${link}/.git`, of })).filter(({ path }) => isBelow(path, folders));
    });
}

/** As git follows it: nothing here is believed. */
function gitDirOf(path: string): string | undefined {
  const stats = ifPossible(() => lstatSync(rawPath(path), { throwIfNoEntry: false }));
  if (stats?.isSymbolicLink()) return ifPossible(() => textOf(realpathSync.native(rawPath(path), "buffer")));
  if (!stats?.isFile()) return stats && path;
  const named = /^gitdir: (.+?)[\r\n]*$/.exec(untrustedText(path, 8192) ?? "")?.[1];
  return named && resolve(dirname(path), named);
}
