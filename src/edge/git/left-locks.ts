// Before a batch or a session continues in worktrees of its own: ends processes that a killed one left running, and removes git's lock files for
// its own branches and worktrees. Other locks stay; git reports those.
import { existsSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { sweep } from "../processes/sweep.ts";
import { unless } from "../system-error.ts";
import { repositoryPlace } from "./own-git.ts";
import { linkedWorktrees } from "./places.ts";

/**
 * No other process of that owner may be running, wherever it works: an owner is one batch or one session, never a kind of them. `branches`: its
 * branch is called `tool/<branches>`, or they begin with `tool/<branches>/`. `home`: its worktree, or the folder in which all are its.
 */
export type LeftBy = { repository: string; home: string; owner: string; branches: string };

/** The paths that were removed. */
export async function clearLeft({ repository, home, owner, branches }: LeftBy): Promise<string[]> {
  await sweep(owner);
  const found = await repositoryPlace(repository);
  if (found.kind !== "found") return [];
  const folder = found.place.commonDir;
  const remotes = names(join(folder, "refs/remotes")).map((remote) => join("refs/remotes", remote));
  const ofBranches = ["refs/heads", ...remotes].map((place) => join(folder, place, "tool", branches)).flatMap(locksOf);
  const removed = [...ofBranches, ...ownWorktrees(folder, home).flatMap(locksIn)];
  for (const path of removed) rmSync(path, { force: true });
  return removed;
}

const names = (folder: string): string[] => unless("ENOENT", () => readdirSync(folder), []);
const locksIn = (folder: string) => names(folder).flatMap((name) => (name.endsWith(".lock") ? [join(folder, name)] : []));

/** Of a branch, or of those below a folder of them. */
function locksOf(reference: string): string[] {
  const own = existsSync(`${reference}.lock`) ? [`${reference}.lock`] : [];
  const below = unless("ENOTDIR", () => unless("ENOENT", () => readdirSync(reference, { recursive: true, encoding: "utf8" }), []), []);
  return [...own, ...below.flatMap((path) => (path.endsWith(".lock") ? [join(reference, path)] : []))];
}

function ownWorktrees(common: string, home: string): string[] {
  const top = unless("ENOENT", () => realpathSync(home), resolve(home));
  return linkedWorktrees(common).flatMap(({ gitDir, file }) => (file.startsWith(`${top}/`) ? [gitDir] : []));
}
