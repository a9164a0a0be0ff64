// The record of one agent in agents.json: enough to show the agent, to deliver its report, and to resume it.

import { z } from "zod";
import { denialSchema } from "../agent/result/outcome.ts";
import { permissionModes } from "../permissions/policy.ts";
import { efforts } from "../settings/effort.ts";
import { evidenceSchema } from "../wording/evidence.ts";
import { isolationSchema } from "./isolated.ts";
import { workerSchema } from "./workers/worker-order.ts";

export const agentStates = ["pending", "running", "needs_permission", "completed", "failed", "stopped"] as const;
export type AgentState = (typeof agentStates)[number];

/** The allowed transitions from each state. */
export const agentMoves: Record<AgentState, readonly AgentState[]> = {
  pending: ["running", "stopped", "failed"],
  running: ["completed", "failed", "needs_permission", "stopped"],
  needs_permission: ["running", "stopped", "failed"],
  completed: ["running"], // resumed to try again what failed
  failed: ["running"],
  stopped: ["running"],
};

const endedBy = ["max_turns", "budget", "repeats_itself", "stopped_by_hook"] as const;
export type EndedBy = (typeof endedBy)[number];

/** What a person decided about failed calls: to fix them in the session itself, to hand them to a person, or to give up. */
const decisions = ["fix_here", "escalated", "given_up"] as const;
export type Decision = (typeof decisions)[number];

/** The definition as it was at the start. A resumed agent keeps it, even if the file has been changed or removed since. */
const definitionSchema = z.lazy(() =>
  z.object({
    name: z.string(),
    prompt: z.string(),
    tools: z.array(z.string()).readonly().optional(),
    disallowedTools: z.array(z.string()).readonly(),
    mcpServers: z.array(z.string()).readonly().optional(),
    permissionMode: z.enum(permissionModes).optional(),
    /** Skills whose instructions come first in the agent's conversation. */
    skills: z.array(z.string()).readonly().optional(),
    effort: z.enum(efforts).optional(),
  }),
);

const usageSchema = z.lazy(() =>
  z.object({
    input_tokens: z.number(),
    output_tokens: z.number(),
    cache_creation_input_tokens: z.number(),
    cache_read_input_tokens: z.number(),
  }),
);

export const recordSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    /** The name that the model gave it; its id if the model gave none. */
    name: z.string(),
    description: z.string(),
    prompt: z.string(),
    definition: definitionSchema,
    model: z.string(),
    maxTurns: z.number().optional(),
    context: z.enum(["fresh", "fork"]),
    /** It works in its own worktree beside the repository, or at a place, with that as its copy at home. */
    isolation: isolationSchema.optional(),
    /** Its worktree, recorded before it is made. `from`: the commit that its branch starts at. `used`: a run in it has not been settled yet. */
    worktree: z.object({ folder: z.string(), branch: z.string(), from: z.string(), state: z.enum(["used", "kept", "removed"]) }).optional(),
    /** The number of agents above it, counting the session as one. */
    depth: z.number(),
    /** The agent that started it; absent: the session itself. */
    parent: z.string().optional(),
    call: z.string(),
    background: z.boolean(),
    /** Only for a coordinator's worker: the files that it may change, and when it runs. */
    worker: workerSchema.optional(),
    state: z.enum(agentStates),
    /** Why it failed or waits, or why it was stopped. */
    reason: z.string().optional(),
    /** What ended its last run before it was done, where that is not a fault. */
    endedBy: z.enum(endedBy).optional(),
    /** Permission rules that would have allowed the call that it waits for. */
    missing: z.array(z.string()).optional(),
    /** The calls of its last run that were denied, with the one that it waits for. */
    denials: z.array(denialSchema).optional(),
    /** Calls of its last reply that had not begun when it was suspended. */
    notBegun: z.array(z.string()).optional(),
    /** Commands, such as tests or a compiler, that failed in its last run and did not succeed later; one line each. */
    failedCalls: z.array(z.string()).optional(),
    /** How many files its last run changed. */
    filesChanged: z.number().optional(),
    /** The last test that it ran; absent if it neither ran a command nor wrote a file. */
    evidence: evidenceSchema.optional(),
    decision: z.enum(decisions).optional(),
    /** Counts its runs: each resume begins another. */
    run: z.number(),
    /** The report of its last run, as its parent reads it. */
    report: z.string().optional(),
    /** Whether the report of its last run is in its parent's conversation. */
    delivered: z.boolean(),
    turns: z.number(),
    usage: usageSchema,
    costUsd: z.number().nullable(),
    /** What it asks the person while it waits for the answer. */
    asks: z.string().optional(),
    /** Its current or last tool call. */
    now: z.string().optional(),
    startedAt: z.string(),
    /** When its last run began, if it was resumed. */
    resumedAt: z.string().optional(),
    endedAt: z.string().optional(),
    transcript: z.string(),
  }),
);
export type AgentRecord = z.infer<typeof recordSchema>;

/** A state as people and models read it. */
export const stateWords = (state: AgentState) => state.replace("_", " ");

export const isUnderWay = ({ state }: Pick<AgentRecord, "state">) => state === "pending" || state === "running";

/** Whether a person still has to decide about its failure or about commands that failed in it. */
export const isUndecided = ({ state, failedCalls = [], decision }: AgentRecord) =>
  decision === undefined && (state === "failed" || (state === "completed" && failedCalls.length > 0));

/** The record after a state change. Throws if the change is not in `agentMoves`, which is a bug. */
export function moved(record: AgentRecord, state: AgentState, change: Partial<AgentRecord> = {}): AgentRecord {
  if (!agentMoves[record.state].includes(state)) throw new Error(`Agent ${record.id} cannot go from ${record.state} to ${state}.`);
  return { ...record, ...change, state };
}
