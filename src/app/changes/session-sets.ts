// The change sets of sessions that worked apart, in worktrees of their own (`tool --worktree`).
import type { ChangeSet } from "../../changes/change-set.ts";
import { claimOf, sessionWorktrees } from "../session/worktree-session.ts";
import type { World } from "../world.ts";

export async function sessionSets({ configDir, edges }: World, root: string): Promise<ChangeSet[]> {
  const [disk, lock] = await Promise.all([edges.disk(), edges.lock()]);
  const left = sessionWorktrees(disk, configDir, root).filter(({ unused }) => !unused);
  return left.map(({ name, branch, folder, from }) => ({
    id: `worktree/${name}`,
    what: `session in the worktree ${name}`,
    by: "",
    evidence: { words: "", failed: false },
    atWork: lock.holder(claimOf(configDir, root, name)) !== undefined,
    content: { kind: "branch", branch, from, folder },
  }));
}
