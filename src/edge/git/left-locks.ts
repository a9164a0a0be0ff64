// Before a batch continues: ends processes that a killed one left running, and removes git's lock files for the batch's own branches and
// worktrees. Other locks stay; git reports those.
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { sweep } from "../processes/sweep.ts";
import { unless } from "../system-error.ts";
import { gitLine, type OwnGit } from "./own-git.ts";

/** No other process of that owner may be running. Its branches begin with `tool/<owner>/`; its worktrees are below `home`. */
export type LeftBy = { repository: string; home: string; owner: string };

/** The paths that were removed. */
export async function clearLeft(git: OwnGit, { repository, home, owner }: LeftBy): Promise<string[]> {
  await sweep(owner);
  const common = await gitLine(git, repository, ["rev-parse", "--git-common-dir"]);
  if (common === undefined) return [];
  const folder = resolve(repository, common);
  const remotes = names(join(folder, "refs/remotes")).map((remote) => join("refs/remotes", remote));
  const branches = ["refs/heads", ...remotes].flatMap((place) => locksBelow(join(folder, place, "tool", owner)));
  const removed = [...branches, ...ownWorktrees(folder, home).flatMap(locksIn)];
  for (const path of removed) rmSync(path, { force: true });
  return removed;
}

const names = (folder: string): string[] => unless("ENOENT", () => readdirSync(folder), []);
const locksIn = (folder: string) => names(folder).flatMap((name) => (name.endsWith(".lock") ? [join(folder, name)] : []));

function locksBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return paths.flatMap((path) => (path.endsWith(".lock") ? [join(folder, path)] : []));
}

/** gitrepository-layout(5): `worktrees/<id>/gitdir` names the `.git` file of the worktree. */
function ownWorktrees(common: string, home: string): string[] {
  const top = unless("ENOENT", () => realpathSync(home), resolve(home));
  return names(join(common, "worktrees"))
    .map((id) => join(common, "worktrees", id))
    .filter((own) => unless("ENOENT", () => readFileSync(join(own, "gitdir"), "utf8"), "").startsWith(`${top}/`));
}
