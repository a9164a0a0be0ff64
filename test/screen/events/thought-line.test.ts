import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../../src/agent/events.ts";
import { createCallDetails } from "../../../src/screen/events/call-details.ts";
import { createThoughtLine } from "../../../src/screen/events/thought-line.ts";
import { createStyle } from "../../../src/screen/style.ts";
import { replied, say } from "../../agent/agent-kit.ts";

const style = createStyle({ TERM: "dumb" }, () => []);
const request: AgentEvent = { type: "request", turn: 1, retryCount: 0, at: "" };
const thought = (text: string): AgentEvent => ({ type: "thought", text });
const said: AgentEvent = { type: "text", text: "Yes." };
const reply = (...thoughts: string[]): AgentEvent => {
  const content = [...thoughts.map((thinking) => ({ type: "thinking" as const, thinking, signature: "s" })), say("Yes.")];
  const { kind: _, ...whole } = replied(content);
  return { type: "reply", turn: 1, ...whole, costUsd: 0, ms: 0, at: "" };
};

/** The line that each of these events adds, a second apart. */
function lines(...events: AgentEvent[]): (string | undefined)[] {
  let nowMs = 0;
  const line = createThoughtLine({ style, now: () => nowMs });
  return events.map((event) => {
    nowMs += 1_000;
    return line.apply(event);
  });
}

describe("a thought", () => {
  it("is one line above the text that follows it, with its time and its size", () => {
    expect(lines(request, thought("x".repeat(40)), thought("y".repeat(40)), said, reply("x".repeat(80)))).toEqual([
      undefined,
      undefined,
      undefined,
      "  thought for 2.0s  ~20 tokens  Ctrl-R shows it",
      undefined,
    ]);
  });

  it("has its own line between two texts, and names the key once", () => {
    const found = lines(request, thought("x"), said, thought("x".repeat(8)), reply("x", "x".repeat(8)));
    expect(found.filter((line) => line !== undefined)).toEqual([
      "  thought for 1.0s  ~1 tokens  Ctrl-R shows it",
      "  thought for 1.0s  ~2 tokens",
    ]);
  });

  it("of an attempt that broke off is forgotten", () => {
    const retry: AgentEvent = { type: "retry", reason: "", waitMs: 1, retryCount: 1, at: "" };
    expect(lines(request, thought("x"), retry, request, said)).toEqual(Array.from({ length: 5 }, () => undefined));
  });

  it("is shown again in a resumed session, unless the provider shows nothing of it", () => {
    expect([...lines(reply("x".repeat(40))), ...lines(reply(""))]).toEqual(["  thought  ~10 tokens  Ctrl-R shows it", undefined]);
  });

  it("is shown whole by the key that shows calls", () => {
    const details = createCallDetails(style);
    details.apply(reply("First this.", "Then that."));
    expect(details.next({ columns: 80 })).toEqual(["", "  Thought", "    First this.", "", "    Then that.", ""]);
    expect(details.next({ columns: 80 })).toBeUndefined();
  });
});
