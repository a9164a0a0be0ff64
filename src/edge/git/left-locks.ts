// Before a batch continues: ends processes that a killed one left running, and removes git's lock files for the batch's own branches and
// worktrees. Other locks stay; git reports those.
import { existsSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { sweep } from "../processes/sweep.ts";
import { unless } from "../system-error.ts";
import { repositoryPlace } from "./own-git.ts";
import { linkedWorktrees } from "./places.ts";

/** No other process of that owner may be running. Its branches begin with `tool/<owner>/`; its worktrees are below `home`. */
export type LeftBy = { repository: string; home: string; owner: string };

/** The paths that were removed. */
export async function clearLeft({ repository, home, owner }: LeftBy): Promise<string[]> {
  await sweep(owner);
  const found = await repositoryPlace(repository);
  if (found.kind !== "found") return [];
  const folder = found.place.commonDir;
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

function ownWorktrees(common: string, home: string): string[] {
  const top = unless("ENOENT", () => realpathSync(home), resolve(home));
  return linkedWorktrees(common).flatMap(({ gitDir, file }) => (file.startsWith(`${top}/`) ? [gitDir] : []));
}
