import { expect, it } from "vitest";
import type { Printable } from "../../../src/agent/events.ts";
import { createRun } from "../../../src/agent/result/run-result.ts";
import { noUsage } from "../../../src/agent/usage.ts";
import { streamLine } from "../../../src/app/print/stream-line.ts";
import { streamLineSchema } from "../../../src/app/print/stream-schema.ts";

const at = "2026-01-02T03:04:05.000Z";
const usage = { input_tokens: 1, output_tokens: 2, cache_creation_input_tokens: 3, cache_read_input_tokens: 4 };
const call = { id: "c1", name: "Bash", subject: "ls" };
const toolInput = { command: "ls", runInBackground: false };

/** An event of every type with all optional fields. Does not compile if a type is missing. */
const events: { [Type in Printable["type"]]: Extract<Printable, { type: Type }> } = {
  session: { type: "session", session: "s", agent: "ada", cwd: "/", model: "m", version: "1", team: "atlas", at },
  input: {
    type: "input",
    inputs: [
      { source: { kind: "mail", message: "m1", from: "bo", mail: "message", replyTo: "m0" }, text: "hi", shown: "hi" },
      { source: { kind: "agent", agent: "a-1", run: 1 }, text: "report" },
      { source: { kind: "user" }, text: "go" },
      { source: { kind: "command", command: "ls" }, text: "a" },
      { source: { kind: "file", path: "a", sources: [{ path: "a", sha256: "0", bytes: 1 }] }, text: "a" },
    ],
    at,
  },
  request: { type: "request", turn: 1, retryCount: 0, at },
  text: { type: "text", text: "a" },
  retry: { type: "retry", reason: "busy", waitMs: 5, retryCount: 1, at },
  reply: {
    type: "reply",
    turn: 1,
    message: { role: "assistant", content: [{ type: "tool_use", id: "c1", name: "Bash", input: toolInput }] },
    stop_reason: "tool_use",
    usage,
    costUsd: 0.1,
    model: "m",
    thoughtTokens: 1,
    ms: 3,
    at,
  },
  unfinished_reply: { type: "unfinished_reply", usage, costUsd: 0.1, model: "m", at },
  media_dropped: { type: "media_dropped", reason: "r", at },
  mode_changed: { type: "mode_changed", mode: "plan", at },
  thoughts_dropped: { type: "thoughts_dropped", reason: "r", at },
  tool_started: { type: "tool_started", ...call, purpose: "p", at },
  tool_ended: {
    type: "tool_ended",
    ...call,
    text: "a",
    isError: false,
    summary: "exit 0",
    touched: ["a"],
    detail: "d",
    sources: [{ path: "a", sha256: "0", bytes: 1 }],
    wrote: [{ path: "b", sha256: "0", bytes: 1 }],
    ms: 1,
    at,
  },
  rewound: {
    type: "rewound",
    to: at,
    putBack: [{ path: "/repo/a", from: "0", to: null }],
    left: [{ path: "/repo/b", why: "it is a folder now" }],
    text: "",
    at,
  },
  goal_set: { type: "goal_set", condition: { kind: "command", command: "npm test" }, maxTurns: 9, spentUsd: 0.1, at },
  goal_checked: {
    type: "goal_checked",
    holds: false,
    how: "exit 1",
    output: "a",
    files: ["a"],
    said: "",
    ms: 1,
    usage,
    costUsd: 0.1,
    model: "m",
    at,
  },
  goal_ended: {
    type: "goal_ended",
    condition: { kind: "text", text: "a" },
    ending: { kind: "not_reached", reason: "r" },
    checks: [{ holds: false, how: "exit 1", files: ["a"], said: "" }],
    turns: 1,
    costUsd: null,
    at,
  },
  agent_ended: {
    type: "agent_ended",
    agent: "a-1",
    name: "reviewer",
    description: "review",
    state: "failed",
    reason: "r",
    files: 1,
    report: "done",
    turns: 2,
    usage,
    costUsd: 0.1,
    model: "m",
    ms: 4,
    at,
  },
  denied: { type: "denied", ...call, reason: "no", at },
  compacting: { type: "compacting", cause: "asked", focus: "f", before: 9, at },
  compacted: {
    type: "compacted",
    cause: "asked",
    focus: "f",
    summary: "s",
    before: 9,
    after: 2,
    resultLimit: 4,
    usage,
    costUsd: null,
    model: "m",
    ms: 1,
    at,
  },
  compaction_failed: { type: "compaction_failed", reason: "r", usage, costUsd: 0.2, model: "m", at },
  notice: { type: "notice", level: "info", text: "n", at },
  ended: { type: "ended", ending: { kind: "budget", limitUsd: 1, spentUsd: 2 }, text: "t", at },
};

/** A call's input was written by the model; its keys are not ours. */
function keysOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(keysOf);
  return Object.entries(value).flatMap(([key, part]) => [key, ...(key === "input" ? [] : keysOf(part))]);
}

it.each(Object.values(events))("a line of $type is in snake_case, and all of it is in the schema", (event) => {
  const line = streamLine(event);
  expect(keysOf(line).filter((key) => !/^[a-z][a-z0-9_]*$/.test(key))).toEqual([]);
  expect(streamLineSchema.parse(line)).toEqual(line);
});

it("names the session as the result does, and does not change the model's text", () => {
  expect(streamLine(events.session)).toMatchObject({ type: "session", session_id: "s" });
  expect(streamLine(events.session)).not.toHaveProperty("session");
  expect(streamLine(events.reply)).toMatchObject({ cost_usd: 0.1, message: { content: [{ input: toolInput }] } });
});

it("a result after a denied call does not say that it is done", () => {
  const run = createRun("tool");
  run.follow(events.denied);
  run.follow({ type: "ended", ending: { kind: "done" }, text: "t", at });
  const result = run.result({ session: "s", model: "m", durationMs: 1, spent: { usage: noUsage, costUsd: 0 }, others: [] });
  expect(result).toMatchObject({
    ending: "denied",
    exit_code: 3,
    reason: "1 tool call was denied, so this may not be all that was asked for.",
  });
  expect(streamLineSchema.parse(result)).toEqual(result);
});
