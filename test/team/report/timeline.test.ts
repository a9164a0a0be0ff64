// Times taken from the log, and costs taken from transcripts.
import { expect, it } from "vitest";
import type { TranscriptEvent } from "../../../src/agent/events.ts";
import type { TeamEvent } from "../../../src/board/event.ts";
import { spendingOf } from "../../../src/team/report/spending.ts";
import { timelineOf } from "../../../src/team/report/timeline.ts";

const at = (seconds: number) => new Date(seconds * 1000).toISOString();
const task = (by: string | null, seconds: number) => ({
  at: at(seconds),
  by: by ?? "lead",
  revision: seconds,
  task: "task-1",
  title: "T",
  assigned_to: by,
});

it("a bar lasts from a claim or a resume to a block, a completion, a release, or the end", () => {
  const events: TeamEvent[] = [
    { kind: "task_created", ...task(null, 0) },
    { kind: "task_claimed", ...task("ada", 1) },
    { kind: "task_changed", ...task("ada", 2), dependencies: [] },
    { kind: "task_blocked", ...task("ada", 3) },
    { kind: "task_released", ...task("bo", 5) },
    { kind: "task_claimed", ...task("bo", 8) },
  ];
  expect(timelineOf(events, 20_000).bars).toEqual([
    { agent: "ada", task: "task-1", state: "working", from: 1_000, to: 3_000 },
    { agent: "ada", task: "task-1", state: "blocked", from: 3_000, to: 5_000 },
    { agent: "bo", task: "task-1", state: "working", from: 8_000, to: 20_000 },
  ]);
});

it("an arrow is a message, with the task that its sender held; other mail has none", () => {
  const message = { at: at(2), message: "m", text: "?" };
  const events: TeamEvent[] = [
    { kind: "task_claimed", ...task("ada", 1) },
    { kind: "message_sent", ...message, by: "ada", to: "bo", mail: "message" },
    { kind: "message_sent", ...message, by: "bo", to: "ada", mail: "message" },
    { kind: "message_sent", ...message, by: "ada", to: "lead", mail: "turn_report" },
  ];
  expect(timelineOf(events, 9_000).arrows).toEqual([
    { from: "ada", to: "bo", at: 2_000, task: "task-1" },
    { from: "bo", to: "ada", at: 2_000, task: undefined },
  ]);
});

it("marks starts, restarts, waits and ends, and tells an end by itself from one that was asked for", () => {
  const member = { by: "lead", member: "ada" };
  const events: TeamEvent[] = [
    { kind: "member_started", at: at(1), ...member },
    { kind: "member_restarted", at: at(2), ...member, how: "killed by signal 9", after_ms: 0 },
    { kind: "member_waits", at: at(3), ...member, reason: "no key", holds: null },
    { kind: "member_ended", at: at(4), ...member, how: "its pane was closed" },
    { kind: "member_ended", at: at(5), ...member, how: "stopped" },
  ];
  expect(timelineOf(events, 9_000).marks.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
    "started: started",
    "restarted: restarted: killed by signal 9",
    "waits: waits for a person: no key",
    "lost: ended: its pane was closed",
    "ended: ended: stopped",
  ]);
});

it("cost goes to the task at work, and to none beside it; one unknown price makes the sum unknown", () => {
  const usage = { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  const reply = (costUsd: number | null) => ({ type: "reply", usage, costUsd, at: at(1) }) as TranscriptEvent;
  const takes = (id: string): TranscriptEvent => ({ type: "input", inputs: [{ source: { kind: "task", task: id }, text: "" }], at: at(1) });
  const completes = (id: string) =>
    ({
      type: "tool_ended",
      name: "TaskUpdate",
      subject: `${id} completed`,
      isError: false,
      touched: [],
      at: at(1),
    }) as unknown as TranscriptEvent;
  const events = [
    reply(0.5),
    takes("task-1"),
    reply(0.25),
    reply(0.25),
    completes("task-1"),
    reply(0.5),
    takes("task-2"),
    reply(null),
    reply(1),
  ];
  expect(spendingOf(events)).toEqual([
    { task: null, tokens: 30, costUsd: 1 },
    { task: "task-1", tokens: 30, costUsd: 0.5 },
    { task: "task-2", tokens: 30, costUsd: null },
  ]);
});
