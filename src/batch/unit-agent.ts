// The protocol between a batch and the process of a unit's agent: JSON lines on that process's standard input and output. None of it is needed after
// a kill: the agent's transcript is on disk, and the batch stores the unit's state.
import { z } from "zod";
import { incidentSchema } from "../agent/result/outcome.ts";
import { handsFactsSchema } from "../places/hands-facts.ts";
import { agentFlagsSchema } from "./batch-record.ts";
import { commitHooksSchema, hooksRunSchema } from "./commit-hooks.ts";
import { unitSchema } from "./plan/plan.ts";
import { testBefore } from "./unit-record.ts";

/** The first line of the process's input. */
export const unitOrderSchema = z.object({
  version: z.literal(1),
  unit: unitSchema,
  /** The titles of units whose results are in the worktree. */
  needed: z.array(z.string()),
  session: z.string(),
  /** Where its hands work; absent: on this machine. */
  place: z.string().optional(),
  /** How the unit failed; its agent is now to fix that. */
  failed: z.string().optional(),
  grantsTest: z.boolean(),
  budgetUsd: z.number().optional(),
  /** The assumed cost of the agent's first request. */
  firstCallUsd: z.number(),
  /** The repository's hooks, which run before the commit; absent if there are none. */
  hooks: commitHooksSchema.optional(),
  /** The top of the person's working tree. */
  root: z.string(),
  /** The folder of that tree that rules of the command line count from. */
  startedIn: z.string(),
  /** Whether its test is run before its agent begins, to know whether it was red already. */
  testsBefore: z.boolean(),
  /** Whether nothing of the person's tree may be seen. */
  apart: z.boolean(),
  sandboxFound: z.object({ kind: z.enum(["missing", "uncertain"]), why: z.string() }).or(z.object({ kind: z.literal("works") })),
  flags: agentFlagsSchema,
});
export type UnitOrder = z.infer<typeof unitOrderSchema>;

/** Later lines: what the rest of the batch has spent so far. */
export const spentSchema = z.object({ othersSpentUsd: z.number() });

const used = { turns: z.number(), tokens: z.number(), cost_usd: z.number().nullable() };

const outcomeSchema = z.discriminatedUnion("kind", [
  /** The harness has run the tests. All texts are redacted. */
  z.object({
    kind: z.literal("tested"),
    passed: z.boolean(),
    tests: z.string(),
    output: z.string(),
    title: z.string(),
    summary: z.string(),
    /** Absent if the repository has no hooks, or if the tests failed. */
    hooks: hooksRunSchema.optional(),
  }),
  /** `incidents`: in the name of the unit. */
  z.object({
    kind: z.literal("failed"),
    why: z.enum(["agent", "max_turns", "permission"]),
    reason: z.string(),
    incidents: z.array(incidentSchema).optional(),
  }),
  z.object({ kind: z.literal("budget"), reason: z.string() }),
  z.object({ kind: z.literal("interrupted") }),
]);
export type UnitOutcome = z.infer<typeof outcomeSchema>;

export const unitLineSchema = z.discriminatedUnion("type", [
  /** `doing`: what it is doing, in a few words. `newest`: if that is a command of the harness, the last line it has printed so far, or nothing. */
  z.object({ type: z.literal("progress"), at: z.enum(["working", "testing"]), doing: z.string(), newest: z.string().optional(), ...used }),
  /** Its hands are not there yet. `words`: the last line that the command of the place has printed. */
  z.object({ type: z.literal("waiting"), words: z.string() }),
  /** How its test ended before its agent began. */
  z.object({ type: z.literal("before"), before: testBefore, ...used }),
  /** Its hands at a place, whenever something of them changes. */
  z.object({ type: z.literal("hands"), hands: handsFactsSchema, ...used }),
  z.object({ type: z.literal("outcome"), outcome: outcomeSchema, ...used }),
]);
export type UnitProcessLine = z.infer<typeof unitLineSchema>;
/** What is told of a unit. */
export type UnitLine = Exclude<UnitProcessLine, { type: "waiting" }>;

/** How the process ended. `ended`: without an outcome. */
export type UnitEnd = { kind: "outcome"; outcome: UnitOutcome } | { kind: "ended"; how: string };

export type UnitProcess = {
  /** Reports what the other units have spent. */
  othersSpent(usd: number): void;
  ended: Promise<UnitEnd>;
};

/** Starts the process in the unit's worktree. It ends when the signal aborts, or when this process ends. */
export type StartUnit = (
  order: UnitOrder & { folder: string },
  on: { line(line: UnitProcessLine): void; signal: AbortSignal },
) => UnitProcess;
