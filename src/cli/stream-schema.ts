// The JSON Schema of a line of `--output-format stream-json`: an event of the agent, or the result, which comes last.
import { z } from "zod";
import type { AgentEvent } from "../agent/events.ts";
import type { RunResult } from "../agent/run-result.ts";

/** Draft 7. */
export function streamSchema(): Record<string, unknown> {
  return { title: "A line of tool --print --output-format stream-json", ...z.toJSONSchema(streamLine, { io: "input", target: "draft-7" }) };
}

const at = z.string().describe("ISO 8601, UTC");
const count = z.number();
const usage = z.object({
  input_tokens: count,
  output_tokens: count,
  cache_creation_input_tokens: count,
  cache_read_input_tokens: count,
});
const source = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("user") }),
  z.object({ kind: z.literal("task"), task: z.string() }),
  z.object({ kind: z.literal("mail"), message: z.string(), from: z.string(), mail: z.string(), replyTo: z.string().optional() }),
  z.object({ kind: z.literal("harness") }),
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
  z.object({ kind: z.literal("budget"), limitUsd: count, spentUsd: count }),
  z.object({ kind: z.literal("aborted") }),
  z.object({ kind: z.literal("fault"), reason: z.string() }),
]);
const cause = z.enum(["asked", "nearly_full", "overflow"]);
const call = { id: z.string(), name: z.string(), subject: z.string() };

const streamLine = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("session"),
    session: z.string(),
    agent: z.string(),
    cwd: z.string(),
    model: z.string(),
    version: z.string(),
    team: z.string().optional(),
    at,
  }),
  z.object({ type: z.literal("input"), inputs: z.array(input), at }),
  z.object({ type: z.literal("request"), turn: count, retryCount: count, at }),
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("retry"), reason: z.string(), waitMs: count, retryCount: count, at }),
  z.object({
    type: z.literal("reply"),
    turn: count,
    message: z.object({ role: z.literal("assistant"), content: z.array(block) }),
    stop_reason: z.string(),
    usage,
    costUsd: count.nullable(),
    model: z.string(),
    ms: count,
    at,
  }),
  z.object({ type: z.literal("tool_started"), ...call, at }),
  z.object({
    type: z.literal("tool_ended"),
    ...call,
    text: z.string(),
    isError: z.boolean(),
    summary: z.string(),
    touched: z.array(z.string()),
    detail: z.string().optional(),
    sources: z.array(z.object({ path: z.string(), sha256: z.string(), bytes: count })).optional(),
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
    resultLimit: count.optional(),
    usage,
    costUsd: count.nullable(),
    model: z.string(),
    ms: count,
    at,
  }),
  z.object({
    type: z.literal("compaction_failed"),
    reason: z.string(),
    usage: usage.optional(),
    costUsd: count.nullable().optional(),
    at,
  }),
  z.object({ type: z.literal("denied"), ...call, reason: z.string(), at }),
  z.object({ type: z.literal("notice"), level: z.enum(["info", "warning", "error"]), text: z.string(), at }),
  z.object({ type: z.literal("ended"), ending, text: z.string(), at }),
  z.object({
    type: z.literal("result"),
    session_id: z.string(),
    ending: z.enum(["done", "max_turns", "budget", "aborted", "fault"]),
    reason: z.string().optional(),
    result: z.string(),
    model: z.string(),
    turns: count,
    duration_ms: count,
    api_ms: count,
    tool_ms: count,
    usage,
    cost_usd: count.nullable(),
    permission_denials: z.array(z.object({ tool: z.string(), subject: z.string(), reason: z.string() })),
    exit_code: z.number(),
  }),
]);

type StreamLine = z.infer<typeof streamLine>;
/** Compiles only while the schema and the types say the same: a line that is added to one must be added to the other. */
function same(line: AgentEvent | RunResult, type: StreamLine["type"]): [StreamLine, (AgentEvent | RunResult)["type"]] {
  return [line, type];
}
void same;
