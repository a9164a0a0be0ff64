// What a finished batch has left in a repository, and how much of it can go without anything being lost.
import type { BatchStore } from "./batch-record.ts";
import type { Repository } from "./repository.ts";
import { phaseBranch } from "./run-unit.ts";

/** `kept`: one sentence for each worktree that stays. */
export type ClearedBatch = { removed: string[]; kept: string[] };

/** Worktrees go when they are clean and what they have is safe, branches when their commits are at the remote or in HEAD's history. */
export async function clearAway({ batch, units, plan }: BatchStore, repository: Repository): Promise<ClearedBatch> {
  const cleared: ClearedBatch = { removed: [], kept: [] };
  const remote = batch.pull_requests?.remote;
  const savedIn = (branch: string) => (remote === undefined ? branch : `${remote}/${branch}`);
  for (const { folder, branch, from, commit } of units()) {
    if (from === undefined) continue; // it never had one
    // Nothing was committed in it: whether its files are changed is what counts.
    const removed = await repository.removeWorktree(folder, commit === undefined ? branch : savedIn(branch));
    if (!removed.ok) cleared.kept.push(removed.error.reason);
    else if (await gone(repository, branch, [savedIn(branch), from, "HEAD"])) cleared.removed.push(branch);
  }
  const phases = [...new Set(plan.units.map(({ phase }) => phaseBranch(batch.id, phase)))];
  for (const branch of phases) if (await gone(repository, branch, [savedIn(branch), batch.head, "HEAD"])) cleared.removed.push(branch);
  return cleared;
}

/** Whether the branch was there and is not any more: one of these has all of its commits. */
async function gone(repository: Repository, branch: string, savedIn: string[]): Promise<boolean> {
  if ((await repository.commitOf(branch)) === undefined) return false;
  for (const place of savedIn.filter((each) => each !== branch)) if ((await repository.deleteBranch(branch, place)).ok) return true;
  return false;
}
