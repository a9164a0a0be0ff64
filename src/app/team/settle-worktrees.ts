// The worktrees of a team that has ended: merged ones are removed, and the others are named.
import type { TeamPorts } from "../../team/leftovers.ts";
import { memberProcess } from "../../team/member-process.ts";
import { optionsOf } from "../../team/place.ts";
import { resumable } from "../../team/resume/resumable.ts";
import type { TeamTrees } from "../../team/worktrees.ts";
import type { World } from "../world.ts";
import { openTrees } from "./team-trees.ts";

/** `outcome`: as in `reap` (team/leftovers.ts); `found` in a dry run. */
export type SettledWorktree = { what: string; outcome: "done" | "kept" | "found"; how: string };

/** Skips a team with a live member, and one that can be resumed with unfinished tasks, because it continues in its worktrees. */
export async function settleWorktrees(world: World, team: TeamPorts, { dryRun }: { dryRun: boolean }): Promise<SettledWorktree[]> {
  const { worktrees } = optionsOf(team.record);
  if (!worktrees || team.disk.changedAt(worktrees.root) === undefined || !(await isOver(world, team))) return [];
  const { name, cwd } = team.record;
  const trees = await openTrees(world, { worktrees, team: name, name: "gc", cwd });
  return trees ? settled(trees, dryRun ? "dry run" : "remove") : [];
}

async function isOver({ edges }: World, { board, record, disk, processes }: TeamPorts): Promise<boolean> {
  const lock = await edges.lock();
  if (lock.holder(board.layout.resume) || record.members.some(({ name }) => memberProcess(board, name, processes).kind !== "none"))
    return false;
  const read = board.tasks.read();
  return (read.ok && read.list.tasks.every(({ status }) => status === "completed")) || !resumable({ board, disk, lock }).ok;
}

async function settled(trees: Pick<TeamTrees, "left" | "settle" | "merged">, how: "dry run" | "remove"): Promise<SettledWorktree[]> {
  const left = await trees.left();
  if (how === "dry run")
    return left.map(({ folder }) => ({
      what: `the worktree ${folder}`,
      outcome: "found",
      how: `would be removed if ${trees.merged} has its work`,
    }));
  const kept = await trees.settle(left.map(({ name }) => name)); // with none left, their empty folder is removed
  return left.map(({ name, folder }) => {
    const tree = kept.find((each) => each.name === name);
    if (!tree) return { what: `the worktree ${folder}`, outcome: "done", how: `removed: ${trees.merged} has its work` };
    return { what: `the worktree ${folder}, branch ${tree.branch}`, outcome: "kept", how: `kept: ${tree.why}` };
  });
}
