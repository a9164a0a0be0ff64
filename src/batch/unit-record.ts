// Where a unit is on its way from the plan to a pull request. Each state is on disk before anybody is told about it, so that a killed batch continues
// from there: every step can be repeated.
import { z } from "zod";

const unitStates = [
  "planned",
  "worktree",
  "working",
  "testing",
  "committed",
  "pushed",
  "pull_request",
  "done",
  "failed",
  "skipped",
] as const;
export type UnitState = (typeof unitStates)[number];

/** The legal moves; the table is the documentation. Without pull requests a committed unit is done. `retried` makes those out of a failure. */
const moves: Record<UnitState, readonly UnitState[]> = {
  planned: ["worktree", "skipped", "failed"],
  worktree: ["working", "failed"],
  working: ["working", "testing", "committed", "failed"],
  testing: ["working", "committed", "failed"],
  committed: ["pushed", "done", "failed"],
  pushed: ["pull_request", "failed"],
  pull_request: ["done"],
  done: [],
  failed: [],
  skipped: [],
};

const failureKinds = [
  "worktree",
  "agent",
  "max_turns",
  "permission",
  "tests",
  "no_change",
  "commit",
  "conflict",
  "push",
  "pull_request",
] as const;
export type FailureKind = (typeof failureKinds)[number];

const changedFile = z.object({ path: z.string(), kind: z.enum(["added", "changed", "deleted"]) });

export const unitRecordSchema = z.object({
  version: z.literal(1),
  id: z.string(),
  state: z.enum(unitStates),
  branch: z.string(),
  /** The folder of its worktree. */
  folder: z.string(),
  /** The session of its agent: a restarted one continues with it. */
  session: z.string(),
  /** The commit that its branch begins at, once it has a worktree. */
  from: z.string().optional(),
  /** How often its agent's process ended without a result while the batch ran. */
  deaths: z.number(),
  /** How it did the last time. */
  ended: z.string().optional(),
  turns: z.number(),
  tokens: z.number(),
  cost_usd: z.number().nullable(),
  elapsed_ms: z.number(),
  /** How often it was taken up again after a failure. */
  retries: z.number().optional(),
  /** What its agent is to be told of the failure before. */
  retry: z.string().optional(),
  /** What the agent says of its change, without secrets. */
  title: z.string().optional(),
  summary: z.string().optional(),
  /** How the harness's own run of the tests ended: `✓ 14 passed`. */
  tests: z.string().optional(),
  /** How the repository's own hooks ended: `pre-commit passed`. */
  hooks: z.string().optional(),
  /** The commit's, where hooks have had a say. */
  message: z.string().optional(),
  files: z.array(changedFile).optional(),
  commit: z.string().optional(),
  pull_request: z.object({ number: z.number(), url: z.string() }).optional(),
  error: z.object({ kind: z.enum(failureKinds), reason: z.string() }).optional(),
  /** Units that failed or were skipped, and whose result it needs. */
  missing: z.array(z.string()).optional(),
  /** Why its worktree was not removed though it is done. */
  kept: z.string().optional(),
});
export type UnitRecord = z.infer<typeof unitRecordSchema>;

/** Throws for a move that is not in the table: that is a mistake in this program. */
export function moved(record: UnitRecord, state: UnitState, change: Partial<UnitRecord> = {}): UnitRecord {
  if (!moves[record.state].includes(state)) throw new Error(`Cannot move unit "${record.id}" from ${record.state} to ${state}`);
  return { ...record, ...change, state };
}

export const isSettled = ({ state }: Pick<UnitRecord, "state">): boolean => moves[state].length === 0;

/** Whether its agent or its tests still have to run. */
export const needsAgent = ({ state }: Pick<UnitRecord, "state">): boolean =>
  state === "planned" || state === "worktree" || state === "working" || state === "testing";

/** Whether others can build on it: it has a commit, and was not refused afterwards. */
export const hasResult = ({ state }: Pick<UnitRecord, "state">): boolean =>
  state === "committed" || state === "pushed" || state === "pull_request" || state === "done";

/** Where a unit continues whose failure is to be tried again; a conflict stays one, since the others of its phase have come before it. */
const retriedAt: Record<FailureKind, UnitState | undefined> = {
  worktree: "worktree",
  agent: "worktree",
  max_turns: "worktree",
  permission: "worktree",
  tests: "worktree",
  no_change: "worktree",
  commit: "worktree",
  conflict: undefined,
  push: "committed",
  pull_request: "pushed",
};

/** Undefined if it did not fail, or cannot continue. One that was skipped waits again for what it needs. */
export function retried(record: UnitRecord): UnitRecord | undefined {
  const { error, missing: _missing, ended: _ended, ...rest } = record;
  if (record.state === "skipped") return { ...rest, state: "planned", retries: (rest.retries ?? 0) + 1 };
  const state = record.state === "failed" && error ? retriedAt[error.kind] : undefined;
  if (state === undefined || !error) return undefined;
  const told = state === "worktree" && error.kind !== "worktree" ? { retry: `${error.kind}: ${error.reason}` } : {};
  return { ...rest, ...told, state, deaths: 0, retries: (rest.retries ?? 0) + 1 };
}

/** The record of a unit that nothing has been done for. */
export const plannedUnit = (about: Pick<UnitRecord, "id" | "branch" | "folder" | "session">): UnitRecord => ({
  version: 1,
  state: "planned",
  ...about,
  deaths: 0,
  turns: 0,
  tokens: 0,
  cost_usd: 0,
  elapsed_ms: 0,
});
