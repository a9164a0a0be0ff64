import { describe, expect, it } from "vitest";
import type { TranscriptEvent } from "../../../src/agent/events.ts";
import { goalIn } from "../../../src/agent/goal/goal.ts";

const at = "2026-01-01T00:00:00.000Z";
const set: TranscriptEvent = { type: "goal_set", condition: { kind: "command", command: "npm test" }, maxTurns: 9, spentUsd: 0.5, at };
const check = (output: string, files: string[] = []): TranscriptEvent => ({
  type: "goal_checked",
  holds: false,
  how: "exit 1",
  output,
  files,
  said: "",
  ms: 1,
  at,
});

describe("goalIn()", () => {
  it("has counted the turns and kept the looks since it was set", () => {
    const reply = { type: "reply" } as TranscriptEvent;
    expect(goalIn([reply, set, reply, reply, check("1 failed", ["a.js"])])).toEqual({
      condition: { kind: "command", command: "npm test" },
      maxTurns: 9,
      spentUsd: 0.5,
      turns: 2,
      checks: [{ holds: false, how: "exit 1", files: ["a.js"], said: "" }],
      alike: 1,
      output: "1 failed",
      setAt: at,
      lookedAt: at,
    });
  });

  it("is none before it is set and after it has ended", () => {
    const ended = { type: "goal_ended" } as TranscriptEvent;
    expect([goalIn([]), goalIn([set, ended])]).toEqual([undefined, undefined]);
  });

  it.each([
    ["the same output, but for times", [check("1 failed\nran 12 ms at 10:21:33"), check("1 failed\nran 9 ms at 10:22:01")], 2],
    ["another output", [check("2 failed"), check("1 failed")], 1],
    ["the same output with a changed file", [check("1 failed"), check("1 failed", ["a.js"])], 1],
  ])("compares a look with the one before: %s", (_what, checks, alike) => {
    expect(goalIn([set, ...checks])?.alike).toBe(alike);
  });

  it("does not compare the words of judging requests", () => {
    const inWords: TranscriptEvent = { ...set, condition: { kind: "text", text: "well" } };
    expect(goalIn([inWords, check("No test."), check("There is no test yet.")])?.alike).toBe(2);
  });
});
