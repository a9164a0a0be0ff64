// A repository's own folder, if it is outside the working directory: a commit must be able to write there.
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/**
 * Real paths of the folders outside `cwd` that git writes for its repository. A `.git` file is trusted only if the repository it names
 * points back: otherwise text in a downloaded folder could make any folder writable.
 */
export function gitFolders(cwd: string): string[] {
  const top = topOf(cwd);
  if (top === undefined) return [];
  const git = join(top, ".git");
  try {
    if (statSync(git).isDirectory()) return top === cwd ? [] : [realpathSync(git)].filter(isRepository);
    return linkedWorktree(git);
  } catch {
    // Without a valid repository, nothing more is writable.
    return [];
  }
}

/** The nearest folder, this one or a parent, that contains a repository's folder. */
export function topOf(folder: string): string | undefined {
  if (existsSync(join(folder, ".git"))) return folder;
  return dirname(folder) === folder ? undefined : topOf(dirname(folder));
}

/** gitrepository-layout(5): `worktrees/<id>/gitdir` names the `.git` file that names it, and `commondir` the main repository. */
function linkedWorktree(file: string): string[] {
  const own = realpathSync(resolve(dirname(file), /^gitdir: (.+)$/m.exec(readFileSync(file, "utf8"))?.[1] ?? "."));
  const common = realpathSync(dirname(dirname(own)));
  const pointsBack = realpathSync(resolve(own, readFileSync(join(own, "gitdir"), "utf8").trim())) === realpathSync(file);
  if (basename(dirname(own)) !== "worktrees" || !pointsBack || !isRepository(common)) return [];
  return realpathSync(resolve(own, readFileSync(join(own, "commondir"), "utf8").trim())) === common ? [common] : [];
}

const isRepository = (folder: string) => ["HEAD", "objects", "refs"].every((name) => existsSync(join(folder, name)));
