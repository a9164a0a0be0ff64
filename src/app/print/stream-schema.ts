// The JSON Schema of a line of `--output-format stream-json`: an event of the agent, or the result, which comes last.
import { z } from "zod";
import type { AgentEvent } from "../../agent/events.ts";
import type { RunResult } from "../../agent/result/run-result.ts";
import { permissionModes } from "../../permissions/policy.ts";
import { handsFactsSchema } from "../../places/hands-facts.ts";
import { evidenceSchema } from "../../wording/evidence.ts";

/** Draft 7. */
export function streamSchema(): Record<string, unknown> {
  return {
    title: "A line of tool --print --output-format stream-json",
    ...z.toJSONSchema(streamLineSchema, { io: "input", target: "draft-7" }),
  };
}

const at = z.string().describe("ISO 8601, UTC");
const count = z.number();
const usage = z.object({
  input_tokens: count,
  output_tokens: count,
  cache_creation_input_tokens: count,
  cache_read_input_tokens: count,
});
const fileSources = z.array(z.object({ path: z.string(), sha256: z.string(), bytes: count }));
const source = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("user") }),
  z.object({ kind: z.literal("task"), task: z.string() }),
  z.object({ kind: z.literal("mail"), message: z.string(), from: z.string(), mail: z.string(), reply_to: z.string().optional() }),
  z.object({ kind: z.literal("command"), command: z.string() }),
  z.object({ kind: z.literal("file"), path: z.string(), sources: fileSources.optional() }),
  z.object({ kind: z.literal("agent"), agent: z.string(), run: count }),
  z.object({ kind: z.literal("background"), command: z.string() }),
  z.object({ kind: z.literal("hook"), event: z.string() }),
  z.object({ kind: z.literal("skill"), name: z.string(), arguments: z.string(), sources: fileSources.optional() }),
  z.object({ kind: z.literal("environment") }),
  z.object({ kind: z.literal("harness"), about: z.string().optional() }),
]);
const input = z.object({ source, text: z.string(), shown: z.string().optional() });
const block = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("thinking"), thinking: z.string(), signature: z.string() }),
  z.object({ type: z.literal("redacted_thinking"), data: z.string() }),
  z.object({ type: z.literal("tool_use"), id: z.string(), name: z.string(), input: z.unknown() }),
]);
const ending = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("done") }),
  z.object({ kind: z.literal("max_turns"), limit: count }),
  z.object({ kind: z.literal("budget"), limit_usd: count, spent_usd: count }),
  z.object({ kind: z.literal("aborted") }),
  z.object({ kind: z.enum(["repeats_itself", "stopped_by_hook"]), reason: z.string() }),
  z.object({ kind: z.literal("fault"), reason: z.string(), cause: z.enum(["key_refused", "quota", "outage"]).optional() }),
]);
const notReached = z.object({ kind: z.literal("not_reached"), reason: z.string() });
const condition = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("command"), command: z.string() }),
  z.object({ kind: z.literal("text"), text: z.string() }),
]);
const check = { holds: z.boolean(), how: z.string(), files: z.array(z.string()), said: z.string() };
const cause = z.enum(["asked", "nearly_full", "overflow"]);
const call = { id: z.string(), name: z.string(), subject: z.string() };

export const streamLineSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("session"),
    session_id: z.string(),
    agent: z.string(),
    cwd: z.string(),
    model: z.string(),
    version: z.string(),
    team: z.string().optional(),
    at,
  }),
  z.object({ type: z.literal("input"), inputs: z.array(input), at }),
  z.object({ type: z.literal("request"), turn: count, retry_count: count, at }),
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("retry"), reason: z.string(), wait_ms: count, retry_count: count, at }),
  z.object({
    type: z.literal("reply"),
    turn: count,
    message: z.object({ role: z.literal("assistant"), content: z.array(block) }),
    stop_reason: z.string(),
    usage,
    cost_usd: count.nullable(),
    model: z.string(),
    thought_tokens: count.optional(),
    ms: count,
    at,
  }),
  z.object({ type: z.literal("unfinished_reply"), usage, cost_usd: count.nullable(), model: z.string(), at }),
  z.object({ type: z.literal("thoughts_dropped"), reason: z.string(), at }),
  z.object({ type: z.literal("media_dropped"), reason: z.string(), at }),
  z.object({ type: z.literal("mode_changed"), mode: z.enum(permissionModes), at }),
  z.object({ type: z.literal("tool_started"), ...call, purpose: z.string().optional(), at }),
  z.object({
    type: z.literal("tool_ended"),
    ...call,
    text: z.string(),
    is_error: z.boolean(),
    summary: z.string(),
    touched: z.array(z.string()),
    detail: z.string().optional(),
    sources: fileSources.optional(),
    wrote: fileSources.optional(),
    ms: count,
    at,
  }),
  z.object({ type: z.literal("compacting"), cause, focus: z.string().optional(), before: count, at }),
  z.object({
    type: z.literal("compacted"),
    cause,
    focus: z.string().optional(),
    summary: z.string(),
    before: count,
    after: count,
    result_limit: count.optional(),
    usage,
    cost_usd: count.nullable(),
    model: z.string(),
    ms: count,
    at,
  }),
  z.object({
    type: z.literal("compaction_failed"),
    reason: z.string(),
    usage: usage.optional(),
    cost_usd: count.nullable().optional(),
    model: z.string().optional(),
    at,
  }),
  z.object({
    type: z.literal("rewound"),
    to: z.string(),
    line: z.string().optional(),
    put_back: z.array(z.object({ path: z.string(), from: z.string().nullable(), to: z.string().nullable(), mode: count.optional() })),
    left: z.array(z.object({ path: z.string(), why: z.string() })),
    text: z.string(),
    at,
  }),
  z.object({
    type: z.literal("agent_ended"),
    agent: z.string(),
    name: z.string(),
    description: z.string(),
    state: z.enum(["completed", "failed", "needs_permission", "stopped"]),
    reason: z.string().optional(),
    evidence: evidenceSchema.optional(),
    failed_commands: count.optional(),
    files: count.optional(),
    report: z.string().optional(),
    turns: count,
    usage,
    cost_usd: count.nullable(),
    model: z.string(),
    ms: count,
    at,
  }),
  z.object({ type: z.literal("denied"), ...call, reason: z.string(), rules: z.array(z.string()).optional(), at }),
  z.object({ type: z.literal("goal_set"), condition, max_turns: count, spent_usd: count.nullable(), at }),
  z.object({
    type: z.literal("goal_checked"),
    ...check,
    output: z.string(),
    ms: count,
    usage: usage.optional(),
    cost_usd: count.nullable().optional(),
    model: z.string().optional(),
    at,
  }),
  z.object({
    type: z.literal("goal_ended"),
    condition,
    ending: z.union([ending, notReached]),
    checks: z.array(z.object(check)),
    turns: count,
    cost_usd: count.nullable(),
    at,
  }),
  z.object({ type: z.literal("notice"), level: z.enum(["info", "warning", "error"]), text: z.string(), at }),
  z.object({ type: z.literal("ended"), ending, text: z.string(), at }),
  z.object({
    type: z.literal("result"),
    ok: z.boolean(),
    session_id: z.string(),
    ending: z.enum(["done", "denied", "max_turns", "budget", "aborted", "repeats_itself", "stopped_by_hook", "not_reached", "fault"]),
    reason: z.string().optional(),
    result: z.string(),
    model: z.string(),
    turns: count,
    duration_ms: count,
    api_ms: count,
    tool_ms: count,
    usage,
    cost_usd: count.nullable(),
    goal: z
      .object({ condition: z.string(), reached: z.boolean(), checks: z.array(z.object(check)), turns: count, cost_usd: count.nullable() })
      .optional(),
    hands: handsFactsSchema.optional(),
    permission_denials: z.array(
      z.object({ agent: z.string(), tool: z.string(), subject: z.string(), reason: z.string(), rules: z.array(z.string()).optional() }),
    ),
    failures: z.array(z.object({ item: z.string(), error: z.string(), agent: z.string() })),
    exit_code: z.union([z.literal(0), z.literal(1), z.literal(3), z.literal(4), z.literal(130)]),
  }),
]);

export type StreamLine = z.infer<typeof streamLineSchema>;

/** Compiles only while every line of the schema is an event or the result. */
function same(type: StreamLine["type"], result: RunResult): [(AgentEvent | RunResult)["type"], StreamLine] {
  return [type, result];
}
void same;
