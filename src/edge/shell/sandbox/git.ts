// A repository's own folder, where it does not lie in the working directory: a commit must be able to write there.
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/**
 * Real paths of the folders that git writes in for the repository of `cwd`, outside of it. A `.git` file is believed only where what it
 * names points back here: otherwise text in a downloaded folder could open any other one.
 */
export function gitFolders(cwd: string): string[] {
  const top = topOf(cwd);
  if (top === undefined) return [];
  const git = join(top, ".git");
  try {
    if (statSync(git).isDirectory()) return top === cwd ? [] : [realpathSync(git)].filter(isRepository);
    return linkedWorktree(git);
  } catch {
    // Without a repository that can be understood, nothing more is writable.
    return [];
  }
}

/** The folder around this one, or it itself, that has a repository's folder. */
export function topOf(folder: string): string | undefined {
  if (existsSync(join(folder, ".git"))) return folder;
  return dirname(folder) === folder ? undefined : topOf(dirname(folder));
}

/** gitrepository-layout(5): `worktrees/<id>/gitdir` names the `.git` file that names it, and `commondir` the repository above. */
function linkedWorktree(file: string): string[] {
  const own = realpathSync(resolve(dirname(file), /^gitdir: (.+)$/m.exec(readFileSync(file, "utf8"))?.[1] ?? "."));
  const common = realpathSync(dirname(dirname(own)));
  const pointsBack = realpathSync(resolve(own, readFileSync(join(own, "gitdir"), "utf8").trim())) === realpathSync(file);
  if (basename(dirname(own)) !== "worktrees" || !pointsBack || !isRepository(common)) return [];
  return realpathSync(resolve(own, readFileSync(join(own, "commondir"), "utf8").trim())) === common ? [common] : [];
}

const isRepository = (folder: string) => ["HEAD", "objects", "refs"].every((name) => existsSync(join(folder, name)));
