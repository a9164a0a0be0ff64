// Removes what a finished batch has left in a repository, as far as nothing would be lost.
import type { BatchStore } from "./batch-record.ts";
import type { Repository } from "./repository.ts";
import { phaseBranch } from "./run-unit.ts";

/** `kept`: one sentence for each worktree that stays, with its branch. `unsaved`: other branches that stay because their commits are nowhere else. */
export type ClearedBatch = { removed: string[]; kept: string[]; unsaved: string[] };

/** Removes a worktree if it is clean and its commits are saved, and a branch if its commits are at the remote or in HEAD's history. */
export async function clearAway(
  { batch, units, plan }: Pick<BatchStore, "batch" | "units" | "plan">,
  repository: Pick<Repository, "removeWorktree" | "commitOf" | "deleteBranch">,
): Promise<ClearedBatch> {
  const cleared: ClearedBatch = { removed: [], kept: [], unsaved: [] };
  const remote = batch.pull_requests?.remote;
  const savedIn = (branch: string) => (remote === undefined ? branch : `${remote}/${branch}`);
  for (const { folder, branch, from, commit } of units()) {
    if (from === undefined) continue; // its worktree was never made
    // Without a commit of its own, only the worktree's files need checking.
    const removed = await repository.removeWorktree(folder, commit === undefined ? branch : savedIn(branch));
    if (removed.ok) await clearBranch(branch, [savedIn(branch), from, "HEAD"]);
    else cleared.kept.push(removed.error.reason);
  }
  const phases = [...new Set(plan.units.map(({ phase }) => phaseBranch(batch.id, phase)))];
  for (const branch of phases) await clearBranch(branch, [savedIn(branch), batch.head, "HEAD"]);
  return cleared;

  async function clearBranch(branch: string, places: string[]): Promise<void> {
    if ((await repository.commitOf(branch)) === undefined) return;
    for (const place of places.filter((each) => each !== branch))
      if ((await repository.deleteBranch(branch, place)).ok) return void cleared.removed.push(branch);
    cleared.unsaved.push(branch);
  }
}
