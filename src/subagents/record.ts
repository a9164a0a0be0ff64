// What is known of one agent that a session started, as it stands in agents.json: enough to show it, to deliver its report and to continue with it.
import { z } from "zod";
import { permissionModes } from "../permissions/policy.ts";
import { efforts } from "../settings/effort.ts";
import { workerSchema } from "./worker-order.ts";

export const agentStates = ["pending", "running", "needs_permission", "completed", "failed", "stopped"] as const;
export type AgentState = (typeof agentStates)[number];

/** From which state an agent may come to which. */
export const agentMoves: Record<AgentState, readonly AgentState[]> = {
  pending: ["running", "stopped", "failed"],
  running: ["completed", "failed", "needs_permission", "stopped"],
  needs_permission: ["running", "stopped", "failed"],
  completed: ["running"], // when what failed in it is tried again
  failed: ["running"],
  stopped: ["running"],
};

/** What a person decided about calls that failed: to fix it in the session itself, to have it recorded for a person, or to leave it. */
const decisions = ["fix_here", "escalated", "given_up"] as const;
export type Decision = (typeof decisions)[number];

/** The definition as it was when the agent started: it continues by this, also when the file is changed or gone. */
const definitionSchema = z.object({
  name: z.string(),
  prompt: z.string(),
  tools: z.array(z.string()).readonly().optional(),
  disallowedTools: z.array(z.string()).readonly(),
  permissionMode: z.enum(permissionModes).optional(),
  /** Their instructions are the first thing that the agent reads. */
  skills: z.array(z.string()).readonly().optional(),
  effort: z.enum(efforts).optional(),
});

const usageSchema = z.object({
  input_tokens: z.number(),
  output_tokens: z.number(),
  cache_creation_input_tokens: z.number(),
  cache_read_input_tokens: z.number(),
});

export const recordSchema = z.object({
  id: z.string(),
  /** What the model calls it; its id when it has no name. */
  name: z.string(),
  description: z.string(),
  prompt: z.string(),
  definition: definitionSchema,
  model: z.string(),
  maxTurns: z.number().optional(),
  context: z.enum(["fresh", "fork"]),
  /** It works in a worktree of its own, beside the repository. */
  isolation: z.literal("worktree").optional(),
  /** That one, from before it is made. `from`: the commit where its branch begins. `used`: a run of the agent has not been settled. */
  worktree: z.object({ folder: z.string(), branch: z.string(), from: z.string(), state: z.enum(["used", "kept", "removed"]) }).optional(),
  /** How many agents are above it; 1 for one that the session itself started. */
  depth: z.number(),
  /** The agent that started it; absent: the session's own. */
  parent: z.string().optional(),
  /** The tool call that started it. */
  call: z.string(),
  background: z.boolean(),
  /** Of a worker that a coordinator started: what it may change, and when it runs. */
  worker: workerSchema.optional(),
  state: z.enum(agentStates),
  /** Why it failed or waits, or what it was told when it was stopped. */
  reason: z.string().optional(),
  /** Rules that would have allowed what it was refused. */
  missing: z.array(z.string()).optional(),
  /** Calls of its last reply that were not begun when it was suspended. */
  notBegun: z.array(z.string()).optional(),
  /** Commands of its last run that failed, and did not succeed later: tests, a compiler. A line each. */
  failedCalls: z.array(z.string()).optional(),
  decision: z.enum(decisions).optional(),
  /** How often it was started: resuming it begins another run. */
  run: z.number(),
  /** The report of its last run, as its parent gets it. */
  report: z.string().optional(),
  /** The report of its last run is in its parent's conversation. */
  delivered: z.boolean(),
  turns: z.number(),
  usage: usageSchema,
  costUsd: z.number().nullable(),
  /** The tool call that it is at, or was at last. */
  now: z.string().optional(),
  startedAt: z.string(),
  /** When its last run was begun, of one that has been resumed. */
  resumedAt: z.string().optional(),
  endedAt: z.string().optional(),
  transcript: z.string(),
});
export type AgentRecord = z.infer<typeof recordSchema>;

export const isUnderWay = ({ state }: Pick<AgentRecord, "state">) => state === "pending" || state === "running";

/** Whether a person is to decide about what failed: its own work, or commands in it. */
export const isUndecided = ({ state, failedCalls = [], decision }: AgentRecord) =>
  decision === undefined && (state === "failed" || (state === "completed" && failedCalls.length > 0));

/** The record after a move; throws for a move that is none: that is a fault of this program. */
export function moved(record: AgentRecord, state: AgentState, change: Partial<AgentRecord> = {}): AgentRecord {
  if (!agentMoves[record.state].includes(state)) throw new Error(`Agent ${record.id} cannot go from ${record.state} to ${state}.`);
  return { ...record, ...change, state };
}
