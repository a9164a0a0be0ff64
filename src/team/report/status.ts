// A member's own status: status.json while it runs, exit.json at its end. Only the member writes them; everybody may read.
import { z } from "zod";
import { handsFactsSchema } from "../../places/hands-facts.ts";
import { evidenceSchema } from "../../wording/evidence.ts";

/**
 * `waiting_person`: it was interrupted or its turn failed, and it takes nothing up before somebody writes to it. `waiting_provider`: its model
 * did not answer, and it asks again after a while.
 */
const memberStates = ["starting", "working", "waiting_permission", "waiting_person", "waiting_provider", "idle", "stopping"] as const;
export type MemberState = (typeof memberStates)[number];

export const statusSchema = z.lazy(() =>
  z.looseObject({
    name: z.string(),
    pid: z.number(),
    /** Start time of that process, so that a reused pid is not taken for it. */
    start: z.string(),
    /** From launch.json: tells this incarnation from the one before. */
    nonce: z.string(),
    session: z.string(),
    state: z.enum(memberStates),
    /** The task in progress, or null. */
    task: z.string().nullable(),
    /** The current activity, in a few words: `Edit src/fmt.js`. Empty when there is none. */
    doing: z.string(),
    /** Why it takes nothing up by itself until somebody writes to it, or tries again later. */
    paused: z.string().optional(),
    /** Of a lead: why the team is stuck, empty while it is not. Earlier versions did not write it. */
    stalled: z.array(z.string()).optional(),
    /** ISO 8601, UTC: since when. */
    since: z.string(),
    /** Monotonic time of its last event. Written with every other change, and else every `signMs`. Earlier versions wrote none of these three. */
    sign_ms: z.number().optional(),
    /** A request to its model is under way, which has time limits of its own. */
    asks_model: z.boolean().optional(),
    /** How long it may work without an event before it counts as hung. */
    hung_after_ms: z.number().optional(),
    turns: z.number(),
    tokens: z.number(),
    /** Part of `tokens` that was read from the provider's cache. */
    cached_tokens: z.number(),
    /** What its model's window holds, and how much it can. Earlier versions wrote neither. */
    context_tokens: z.number().optional(),
    window_tokens: z.number().optional(),
    /** Null when a price is not known. */
    cost_usd: z.number().nullable(),
    /** Its hands, if they are at a place. */
    hands: handsFactsSchema.optional(),
    /** The last test that it ran for its task, or for the task before; earlier versions wrote none. */
    evidence: evidenceSchema.optional(),
  }),
);
export type MemberStatus = z.infer<typeof statusSchema>;

/** The first status of a member's process. */
export function firstStatus(
  { name, nonce, session }: Pick<MemberStatus, "name" | "nonce" | "session">,
  {
    process: { pid, start },
    now,
    nowMs,
    hungAfterMs,
  }: { process: { pid: number; start: string }; now: Date; nowMs: number; hungAfterMs: number },
): MemberStatus {
  const used = { turns: 0, tokens: 0, cached_tokens: 0, cost_usd: 0 };
  const signs = { sign_ms: nowMs, asks_model: false, hung_after_ms: hungAfterMs };
  return { name, pid, start, nonce, session, state: "starting", task: null, doing: "", since: now.toISOString(), ...signs, ...used };
}

/** What all of them together cost; null when a price is not known. It never falls: a member that has ended, or starts again, keeps its status. */
export function costOf(members: readonly Pick<MemberStatus, "cost_usd">[]): number | null {
  return members.reduce<number | null>((sum, { cost_usd }) => (sum === null || cost_usd === null ? null : sum + cost_usd), 0);
}

/** While events come, `sign_ms` is written at least this often. */
export const signMs = 20_000;

/** Why a member's process ended, written by that process. Missing after a SIGKILL or a crash. */
export const exitSchema = z.lazy(() =>
  z.looseObject({
    reason: z.enum(["finished", "stopped", "signal", "lead_gone", "fault"]),
    nonce: z.string(),
    at: z.string(),
    code: z.number(),
    /** The signal, or the fault in one sentence. */
    detail: z.string().optional(),
    /** Set if the next start would fail the same way, because the member's configuration cannot be used. */
    cause: z.literal("configuration").optional(),
  }),
);
export type MemberExit = z.infer<typeof exitSchema>;
