// The worktree of an isolated agent: on record before git begins, made before the agent's session opens, and removed at the end of a run where
// nothing would be lost by it. What was killed in between is settled when the session is opened again.
import { estimateTokens } from "../agent/requests/tokens.ts";
import type { AgentRecord } from "./record.ts";

export type AgentWorktree = NonNullable<AgentRecord["worktree"]>;
type Place = Pick<AgentWorktree, "folder" | "branch" | "from">;

/** The repository around the session, as its agents use it. Every operation can be repeated after a kill. */
export type AgentWorktrees = {
  /** The commit that is checked out in a folder of the repository. Throws why there can be no worktree. */
  headOf(folder: string): Promise<string>;
  /** Throws why there is none. */
  add(place: Place): Promise<void>;
  /** Removes worktree and branch, or says what would be lost: the second half of a sentence that begins with the worktree. */
  removeUnused(place: Place): Promise<string | undefined>;
};

/** Where the worktree of the agent with this id is to lie. */
export type WorktreePlaces = { placeOf(id: string): Pick<Place, "folder" | "branch"> };

export type Isolation = {
  worktrees: AgentWorktrees & WorktreePlaces;
  /** The folder in which the session works. */
  cwd: string;
  put: (record: AgentRecord) => void;
  find: (id: string) => AgentRecord | undefined;
};

/** The record of an agent that can begin. Throws why the worktree that it works in is not there. */
export async function isolated(record: AgentRecord, { worktrees, cwd, put, find }: Isolation): Promise<AgentRecord> {
  const above = record.parent === undefined ? undefined : workplaceOf(find(record.parent), find);
  if (record.isolation === undefined) {
    if (above?.worktree.state === "removed") {
      await worktrees.add(above.worktree);
      put({ ...above, worktree: { ...above.worktree, state: "kept" } });
    }
    return record;
  }
  const parentFolder = above?.worktree.folder ?? cwd;
  const place = record.worktree ?? { ...worktrees.placeOf(record.id), from: await worktrees.headOf(parentFolder) };
  const now: AgentRecord = { ...record, worktree: { ...place, state: "used" } };
  put(now);
  await worktrees.add(place);
  return now;
}

/** An agent with a worktree of its own: this one, or the nearest above it. */
export function workplaceOf(
  record: AgentRecord | undefined,
  find: (id: string) => AgentRecord | undefined,
): (AgentRecord & { worktree: AgentWorktree }) | undefined {
  if (!record) return undefined;
  const { worktree, parent } = record;
  return worktree ? { ...record, worktree } : workplaceOf(parent === undefined ? undefined : find(parent), find);
}

export type Settling = { worktrees: Pick<AgentWorktrees, "removeUnused">; underWay: readonly AgentRecord[]; find: Isolation["find"] };

/** The record after a run that has ended, with what its parent is to know of the worktree at the end of its report. */
export async function settled(record: AgentRecord, { worktrees, underWay, find }: Settling): Promise<AgentRecord> {
  const { id, worktree, report, state } = record;
  if (!worktree) return record;
  const isUsed = underWay.some((other) => other.id !== id && workplaceOf(other, find)?.id === id);
  const kept =
    state === "needs_permission" ? "it waits for a permission" : isUsed ? "agents work in it" : await keptBecause(worktree, worktrees);
  const now: AgentWorktree = { ...worktree, state: kept === undefined ? "removed" : "kept" };
  return { ...record, worktree: now, ...(report !== undefined && { report: `${report}\n\n${settledText(now, kept)}` }) };
}

async function keptBecause(worktree: AgentWorktree, { removeUnused }: Pick<AgentWorktrees, "removeUnused">): Promise<string | undefined> {
  try {
    return await removeUnused(worktree);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function settledText({ folder, branch }: AgentWorktree, kept: string | undefined): string {
  if (kept === undefined) return "[It changed nothing in its worktree, which is removed.]";
  return `[Its worktree ${folder}, branch ${branch}, is kept: ${kept}. Nothing of it is in your working tree.]`;
}

/** So much of its parent's context the note at the end of a report may take. */
export const noteTokens = ({ worktree }: AgentRecord) => (worktree ? estimateTokens(settledText(worktree, "x".repeat(200))) : 0);

/** What an isolated agent is told before its work. */
export function worktreeText({ folder, branch }: AgentWorktree): string {
  return `You work in a git worktree of your own, ${folder}, on the branch ${branch}. It begins at the last commit: what is not committed elsewhere is not in it. You change nothing outside of it. What you leave there is kept, committed or not, and your parent is told where it is.`;
}
