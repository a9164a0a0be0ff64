// The state of a unit on its way from the plan to a pull request. Each state is on disk before it is reported, and every step can be repeated, so a
// killed batch continues where it was.
import { z } from "zod";
import { incidentSchema } from "../agent/result/outcome.ts";
import { handsFactsSchema } from "../places/hands-facts.ts";

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

/** The legal moves. A committed unit is done if there are no pull requests. `retried` makes the moves out of `failed`. */
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

/** `tests`: the result, such as `✗ 2 of 14 failed`. */
export const testBefore = z.object({ tests: z.string(), passed: z.boolean() });
export type TestBefore = z.infer<typeof testBefore>;

export const unitRecordSchema = z.object({
  version: z.literal(1),
  id: z.string(),
  state: z.enum(unitStates),
  branch: z.string(),
  /** The folder of its worktree. */
  folder: z.string(),
  /** The session of its agent, which a restarted agent continues. */
  session: z.string(),
  /** The commit that its branch starts at, once it has a worktree. */
  from: z.string().optional(),
  /** How often its agent's process ended without a result while the batch was running. */
  deaths: z.number(),
  /** Where its hands work, if that is not this machine. */
  place: z.string().optional(),
  /** What was last known of its hands there. */
  hands: handsFactsSchema.optional(),
  /** Places at which its hands died. */
  left: z.array(z.string()).optional(),
  /** How that process ended last. */
  ended: z.string().optional(),
  turns: z.number(),
  tokens: z.number(),
  cost_usd: z.number().nullable(),
  elapsed_ms: z.number(),
  /** How often it was retried after a failure. */
  retries: z.number().optional(),
  /** What its agent is to be told about the previous failure. */
  retry: z.string().optional(),
  /** The agent's description of its change, redacted. */
  title: z.string().optional(),
  summary: z.string().optional(),
  /** The result of the harness's own test run, such as `✓ 14 passed`. */
  tests: z.string().optional(),
  /** How its test ended before its agent began, if this unit ran it then. */
  before: testBefore.optional(),
  /** What it has changed of its own test. */
  changed_tests: z.array(changedFile).optional(),
  /** The result of the repository's hooks, such as `pre-commit passed`. */
  hooks: z.string().optional(),
  /** The commit message, if hooks have changed it. */
  message: z.string().optional(),
  files: z.array(changedFile).optional(),
  commit: z.string().optional(),
  pull_request: z.object({ number: z.number(), url: z.string() }).optional(),
  error: z.object({ kind: z.enum(failureKinds), reason: z.string() }).optional(),
  /** What its agent and the agents that it started lacked or failed in, if it failed because of that. */
  incidents: z.array(incidentSchema).optional(),
  /** Units that it needs and that failed or were skipped. */
  missing: z.array(z.string()).optional(),
  /** Why its worktree was kept although the unit is done. */
  kept: z.string().optional(),
});
export type UnitRecord = z.infer<typeof unitRecordSchema>;

/** Throws for a move that is not in the table, which is a bug. */
export function moved(record: UnitRecord, state: UnitState, change: Partial<UnitRecord> = {}): UnitRecord {
  if (!moves[record.state].includes(state)) throw new Error(`Cannot move unit "${record.id}" from ${record.state} to ${state}`);
  return { ...record, ...change, state };
}

export const isSettled = ({ state }: Pick<UnitRecord, "state">): boolean => moves[state].length === 0;

/** Whether its agent or its tests still have to run. */
export const needsAgent = ({ state }: Pick<UnitRecord, "state">): boolean =>
  state === "planned" || state === "worktree" || state === "working" || state === "testing";

/** Whether others can build on it: it has a commit that was not refused afterwards. */
export const hasResult = ({ state }: Pick<UnitRecord, "state">): boolean =>
  state === "committed" || state === "pushed" || state === "pull_request" || state === "done";

/** The state from which a failed unit is retried. A conflict is not retried, because other units of its phase have been merged first. */
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

/** The record for a retry; undefined if the unit did not fail or cannot be retried. A skipped unit waits again for the units that it needs. */
export function retried(record: UnitRecord): UnitRecord | undefined {
  const { error, incidents: _incidents, missing: _missing, ended: _ended, left: _left, ...rest } = record;
  if (record.state === "skipped") return { ...rest, state: "planned", retries: (rest.retries ?? 0) + 1 };
  const state = record.state === "failed" && error ? retriedAt[error.kind] : undefined;
  if (state === undefined || !error) return undefined;
  const told = state === "worktree" && error.kind !== "worktree" ? { retry: `${error.kind}: ${error.reason}` } : {};
  return { ...rest, ...told, state, deaths: 0, retries: (rest.retries ?? 0) + 1 };
}

/** The record of a unit that has not begun. */
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
