import { describe, expect, it } from "vitest";
import type { Ending } from "../../../src/agent/events.ts";
import type { Goal, GoalCheck } from "../../../src/agent/goal/goal.ts";
import { afterCheck, afterRun, mostAlike } from "../../../src/agent/goal/next.ts";

const failing: GoalCheck = { holds: false, how: "exit 1", files: [], said: "" };
const standing: Goal = {
  condition: { kind: "command", command: "npm test" },
  maxTurns: 20,
  spentUsd: 0,
  turns: 4,
  checks: [failing],
  alike: 1,
  output: "1 failed",
  setAt: "",
  lookedAt: "",
};
const inWords: Goal = { ...standing, condition: { kind: "text", text: "all is well" } };

const done: Ending = { kind: "done" };
const atLimit: Ending = { kind: "max_turns", limit: 3 };
const spent: Ending = { kind: "budget", limitUsd: 1, spentUsd: 2 };
const repeats: Ending = { kind: "repeats_itself", reason: "Again." };
const hook: Ending = { kind: "stopped_by_hook", reason: "No." };
const fault: Ending = { kind: "fault", reason: "Down." };
const aborted: Ending = { kind: "aborted" };

describe("afterRun()", () => {
  it.each([
    [done, { kind: "check" }, { kind: "check" }],
    [atLimit, { kind: "check" }, { kind: "check" }],
    [spent, { kind: "check" }, { kind: "end", ending: spent }],
    [repeats, { kind: "check" }, { kind: "end", ending: repeats }],
    [hook, { kind: "end", ending: hook }, { kind: "end", ending: hook }],
    [fault, { kind: "stand" }, { kind: "stand" }],
    [aborted, { kind: "end", ending: aborted }, { kind: "end", ending: aborted }],
  ] as const)("after a run that ended as %o", (ending, forCommand, forText) => {
    expect([afterRun(standing, ending), afterRun(inWords, ending)]).toEqual([forCommand, forText]);
  });

  it("leaves the goal for the resumed session if the session itself ends", () => {
    expect(afterRun(standing, aborted, true)).toEqual({ kind: "stand" });
  });
});

describe("afterCheck()", () => {
  const holding = { ...standing, checks: [failing, { ...failing, holds: true, how: "exit 0" }] };
  const reason = `No progress: ${mostAlike} checks in a row came out the same (exit 1), and no file changed between them.`;

  it.each([
    ["goes on", standing, done, { kind: "continue" }],
    ["has reached it, whatever limit the run met", holding, spent, { kind: "end", ending: { kind: "done" } }],
    [
      "ends at the limit of the goal, not of the run",
      { ...standing, turns: 20 },
      atLimit,
      { kind: "end", ending: { kind: "max_turns", limit: 20 } },
    ],
    ["ends where the budget is spent", standing, spent, { kind: "end", ending: spent }],
    ["ends without progress", { ...standing, alike: mostAlike }, done, { kind: "end", ending: { kind: "not_reached", reason } }],
  ] as const)("%s", (_what, goal, ending, next) => {
    expect(afterCheck(goal, ending)).toEqual(next);
  });
});
