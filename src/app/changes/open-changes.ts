// Opens what was made apart from the tree of this repository: the records of those who made it, and git.
import { projectName } from "../../agent/session/transcript.ts";
import { type ChangeSet, type Seen, withIds } from "../../changes/change-set.ts";
import type { ChangesRepository } from "../../changes/repository.ts";
import { UsageError, type World } from "../world.ts";
import { agentSets } from "./agent-sets.ts";
import { batchSets } from "./batch-sets.ts";
import { rewindSets } from "./rewind-sets.ts";
import { sessionSets } from "./session-sets.ts";
import { openStore, type TakesStore } from "./taking-store.ts";
import { teamSets } from "./team-sets.ts";

export type Changes = { git: ChangesRepository; sets: ChangeSet[]; store: TakesStore; branch: string };

/** Throws UsageError where there can be none. */
export async function openChanges(world: World): Promise<Changes> {
  const git = await repositoryHere(world);
  const store = openStore(await world.edges.disk(), `${world.configDir}/takes/${projectName(git.root)}`);
  const [sets, { ref = "HEAD" }] = await Promise.all([setsIn(world, git), git.head()]);
  return { git, sets, store, branch: ref.replace(/^refs\/heads\//, "") };
}

/** The ids of the sets, each with what it is: for a completion. Only what teams have handed over is asked of git. */
export async function changeNames(world: World): Promise<Pick<ChangeSet, "id" | "what">[]> {
  const { cwd, edges } = world;
  const { root, commits } = await edges.changesRepository((await edges.repositoryAbove(cwd)) ?? cwd);
  return setsIn(world, { root, commits, baseOf: async () => undefined, made: async () => ({ from: "", tip: "" }) });
}

async function repositoryHere({ cwd, edges }: World): Promise<ChangesRepository> {
  const found = await edges.usableRepository(cwd);
  if (found.kind === "unusable") throw new UsageError(found.reason);
  return edges.changesRepository(found.root);
}

async function setsIn(world: World, git: Pick<ChangesRepository, "root" | "commits" | "baseOf" | "made">): Promise<ChangeSet[]> {
  const { root } = git;
  const sets = [teamSets(world, git), batchSets(world, root), agentSets(world, root), sessionSets(world, root), rewindSets(world, git)];
  return (await Promise.all(sets)).flat();
}

/** It has no branch that could be left: it is over once it is taken. */
export const isOfRewind = ({ id, content }: ChangeSet) => content.kind === "range" && content.whole === id;

/** Without ids those with something in them. Throws UsageError for an unknown id, or one of which nothing is left. */
export async function lookAt({ git, sets, store }: Changes, ids: readonly string[]): Promise<Seen[]> {
  const found = withIds(sets, ids);
  if (!found.ok) throw new UsageError(found.reason);
  const wanted = ids.length > 0 ? found.found : sets;
  const { seen, gone } = await git.look({ sets: wanted, taken: store.taken(), rivals: true });
  const lost = gone[0];
  if (ids.length > 0 && lost) throw new UsageError(`Nothing is left of ${lost.set.id}: ${lost.why}.`);
  return ids.length > 0 ? seen : seen.filter(({ set, files, into }) => files.length > 0 && (into.kind !== "taken" || !isOfRewind(set)));
}
