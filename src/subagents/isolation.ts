// The worktree of an isolated agent. It is recorded before git begins, made before the agent's session opens, and removed after a run if nothing
// would be lost. If a process was killed in between, the next opening of the session finishes the job.

import { estimateTokens } from "../agent/requests/tokens.ts";
import { errorText } from "../wording/error-text.ts";
import { type Isolated, placeOf } from "./isolated.ts";
import type { AgentRecord } from "./record.ts";

export type AgentWorktree = NonNullable<AgentRecord["worktree"]>;
type Place = Pick<AgentWorktree, "folder" | "branch" | "from">;

/** The git operations on the session's repository. Each can be repeated after a kill. */
export type AgentWorktrees = {
  /** The commit that is checked out in a folder of the repository. Throws with the reason if there can be no worktree. */
  headOf(folder: string): Promise<string>;
  /** Throws with the reason if it cannot be made. */
  add(place: Place): Promise<"new" | "there before">;
  /** Removes the worktree and its branch. Returns what would be lost if it keeps them: the predicate of a sentence whose subject is the worktree. */
  removeUnused(place: Place): Promise<string | undefined>;
};

/** Chooses the folder and branch for the agent with this id. */
export type WorktreePlaces = { placeOf(id: string): Pick<Place, "folder" | "branch"> };

export type Isolation = {
  worktrees: AgentWorktrees & WorktreePlaces;
  /** The session's working directory. */
  cwd: string;
  put: (record: AgentRecord) => void;
  find: (id: string) => AgentRecord | undefined;
};

/** The record of an agent that is ready to begin. Throws with the reason if its worktree is missing. */
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

/** The agent whose worktree this one works in: itself, or the nearest agent above it. */
export function workplaceOf(
  record: AgentRecord | undefined,
  find: (id: string) => AgentRecord | undefined,
): (AgentRecord & { worktree: AgentWorktree }) | undefined {
  if (!record) return undefined;
  const { worktree, parent } = record;
  return worktree ? { ...record, worktree } : workplaceOf(parent === undefined ? undefined : find(parent), find);
}

export type Settling = { worktrees: Pick<AgentWorktrees, "removeUnused">; underWay: readonly AgentRecord[]; find: Isolation["find"] };

/** The record after a run has ended, with a note about the worktree at the end of the report. */
export async function settled(record: AgentRecord, { worktrees, underWay, find }: Settling): Promise<AgentRecord> {
  const { id, worktree, report, state } = record;
  if (!worktree) return record;
  const isUsed = underWay.some((other) => other.id !== id && workplaceOf(other, find)?.id === id);
  const kept =
    state === "needs_permission" ? "it waits for a permission" : isUsed ? "agents work in it" : await keptBecause(worktree, worktrees);
  const now: AgentWorktree = { ...worktree, state: kept === undefined ? "removed" : "kept" };
  return { ...record, worktree: now, ...(report !== undefined && { report: `${report}\n\n${settledText(id, now, kept)}` }) };
}

async function keptBecause(worktree: AgentWorktree, { removeUnused }: Pick<AgentWorktrees, "removeUnused">): Promise<string | undefined> {
  try {
    return await removeUnused(worktree);
  } catch (error) {
    return errorText(error);
  }
}

function settledText(id: string, { folder, branch }: AgentWorktree, kept: string | undefined): string {
  if (kept === undefined) return "[It changed nothing in its worktree, which is removed.]";
  return `[Its worktree ${folder}, branch ${branch}, is kept: ${kept}. Nothing of it is in your working tree. The person looks at it and takes it with: tool changes ${id}, tool take ${id}]`;
}

/** The most tokens that the note at the end of a report may take in the parent's context. */
export const noteTokens = ({ id, worktree }: AgentRecord) => (worktree ? estimateTokens(settledText(id, worktree, "x".repeat(200))) : 0);

/** What an isolated agent is told at the start. */
export function worktreeText({ worktree: { folder, branch }, isolation }: { worktree: AgentWorktree; isolation?: Isolated }): string {
  const place = placeOf(isolation);
  if (place !== undefined)
    return `Your files and commands are at the place "${place}", another machine, in a copy of the repository of your own. It begins at the last commit: what is not committed elsewhere is not in it. What you leave there comes home and is kept, committed or not, and your parent is told where it is.`;
  return `You work in a git worktree of your own, ${folder}, on the branch ${branch}. It begins at the last commit: what is not committed elsewhere is not in it. You change nothing outside of it. What you leave there is kept, committed or not, and your parent is told where it is.`;
}
