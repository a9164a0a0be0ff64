import { expect, it } from "vitest";
import { windowAccount } from "../../src/agent/context.ts";
import type { TranscriptEvent } from "../../src/agent/events.ts";
import { call, replied, say, typed } from "./agent-kit.ts";

const at = "";
const parts = { system: "s".repeat(700), schemas: [], instructions: [{ path: "AGENTS.md", text: "a".repeat(350) }], windowTokens: 200_000 };

function ended(name: string, subject: string, length: number): TranscriptEvent {
  return { type: "tool_ended", id: "1", name, subject, text: "x".repeat(length), isError: false, summary: "", touched: [], ms: 0, at };
}

function reply(promptTokens: number, ...content: Parameters<typeof replied>[0]): TranscriptEvent {
  const { message, stop_reason, usage, model } = replied(content, { usage: { input_tokens: promptTokens, output_tokens: 100 } });
  return { type: "reply", turn: 1, message, stop_reason, usage, costUsd: 0, model, ms: 0, at };
}

it("divides the provider's count among files, commands, messages and the rest", () => {
  const account = windowAccount(
    [
      { type: "input", inputs: [typed("Look at the parser.\nAll of it.")], at },
      reply(500, call("1", "Read"), call("2", "Bash")),
      ended("Read", "src/parse.ts", 3500),
      ended("Read", "src/parse.ts:40", 350),
      ended("Bash", "npm test", 700),
      { type: "input", inputs: [{ source: { kind: "mail", message: "m", from: "bo", mail: "message" }, text: "y".repeat(350) }], at },
      reply(2000, say("z".repeat(350))),
    ],
    parts,
  );
  expect({ ...account, sources: account.sources.map(({ source, entries }) => `${source} ${entries}`) }).toMatchObject({
    tokens: 2100,
    windowTokens: 200_000,
    counted: true,
    sources: ["files 1", "commands 1", "replies 1", "system and tools 1", "instructions 1", "mail 1", "messages 1"],
  });
  expect(account.largest.map(({ source, what, times }) => [source, what, times])).toEqual([
    ["files", "src/parse.ts", 2],
    ["commands", "npm test", 1],
    ["mail", "from bo", 1],
    ["messages", "Look at the parser.", 1],
  ]);
  const sum = account.sources.reduce((total, { tokens }) => total + tokens, 0);
  expect(Math.abs(sum - account.tokens)).toBeLessThan(8);
});

it("counts the reports of agents, also of those in the background, as theirs", () => {
  const report = { source: { kind: "agent" as const, agent: "a-1", run: 1 }, text: "b".repeat(7_000) };
  const account = windowAccount([ended("Agent", "look at a", 3_500), { type: "input", inputs: [report], at }], parts);
  expect(account.sources.find(({ source }) => source === "agents")).toEqual({ source: "agents", tokens: 3_000, entries: 2 });
});

it("is an estimate until the provider has counted", () => {
  const account = windowAccount([{ type: "input", inputs: [typed("h".repeat(350))], at }], parts);
  expect(account).toEqual({
    tokens: 301,
    windowTokens: 200_000,
    counted: false,
    sources: [
      { source: "system and tools", tokens: 101, entries: 1 },
      { source: "instructions", tokens: 100, entries: 1 },
      { source: "messages", tokens: 100, entries: 1 },
    ],
    largest: [{ source: "messages", what: `${"h".repeat(60)}…`, tokens: 100, times: 1 }],
  });
});

it("has the summary in place of what a compaction replaced, and the turn under way", () => {
  const compacted: TranscriptEvent = {
    type: "compacted",
    cause: "asked",
    summary: "s".repeat(35),
    before: 5000,
    after: 900,
    usage: replied([]).usage,
    costUsd: 0,
    model: "m",
    ms: 0,
    at,
  };
  const events = [
    reply(500, call("0", "Read")),
    ended("Read", "old.ts", 350),
    reply(900, call("1", "Read")),
    ended("Read", "new.ts", 350),
    compacted,
  ];
  const account = windowAccount(events, parts);
  expect([account.tokens, account.largest.map(({ what }) => what), account.sources.map(({ source }) => source).sort()]).toEqual([
    900,
    ["new.ts"],
    ["files", "instructions", "replies", "summary", "system and tools"],
  ]);
});

it("distinguishes thoughts from replies, until they are dropped or compacted", () => {
  const thinking = { type: "thinking" as const, thinking: "t".repeat(700), signature: "s" };
  const events = [
    { type: "input" as const, inputs: [typed("go")], at },
    reply(2000, thinking, say("z".repeat(350)), call("1", "Read")),
    ended("Read", "a.ts", 350),
  ];
  const shares = (...more: TranscriptEvent[]) =>
    windowAccount([...events, ...more], parts)
      .sources.map(({ source }) => source)
      .filter((source) => source === "thoughts" || source === "replies");
  const compacted = { ...events[1], type: "compacted", cause: "asked", summary: "Sum.", before: 2000, after: 1000 } as TranscriptEvent;
  expect([shares(), shares({ type: "thoughts_dropped", reason: "r", at }), shares(compacted)]).toEqual([
    ["thoughts", "replies"],
    ["replies"],
    ["replies"],
  ]);
});
