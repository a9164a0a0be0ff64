import { describe, expect, it } from "vitest";
import { hasResult, isSettled, moved, needsAgent, retried, type UnitState } from "../../src/batch/unit-record.ts";
import { recordOf } from "./plans.ts";

const states: UnitState[] = [
  "planned",
  "worktree",
  "working",
  "testing",
  "committed",
  "pushed",
  "pull_request",
  "done",
  "failed",
  "skipped",
];
const allowed = (from: UnitState) => states.filter((to) => isAllowed(from, to));

function isAllowed(from: UnitState, to: UnitState): boolean {
  try {
    return moved(recordOf("u1", { state: from }), to).state === to;
  } catch {
    return false;
  }
}

describe("moved()", () => {
  it.each([
    ["planned", ["worktree", "failed", "skipped"]],
    ["worktree", ["working", "failed"]],
    ["working", ["working", "testing", "committed", "failed"]],
    ["testing", ["working", "committed", "failed"]],
    ["committed", ["pushed", "done", "failed"]],
    ["pushed", ["pull_request", "failed"]],
    ["pull_request", ["done"]],
    ["done", []],
    ["failed", []],
    ["skipped", []],
  ] as const)("a unit that is %s can become %j", (from, to) => {
    expect(allowed(from)).toEqual(to);
  });

  it("names the move that is a bug", () => {
    expect(() => moved(recordOf("u1", { state: "done" }), "working")).toThrow('Cannot move unit "u1" from done to working');
  });
});

it("each state is settled, needs its agent, or has a result", () => {
  const of = (has: (record: { state: UnitState }) => boolean) => states.filter((state) => has({ state }));
  expect({ settled: of(isSettled), agent: of(needsAgent), result: of(hasResult) }).toEqual({
    settled: ["done", "failed", "skipped"],
    agent: ["planned", "worktree", "working", "testing"],
    result: ["committed", "pushed", "pull_request", "done"],
  });
});

describe("retried()", () => {
  const failed = (kind: "tests" | "worktree" | "conflict" | "push" | "pull_request") =>
    recordOf("u1", { state: "failed", deaths: 3, ended: "exit 1", error: { kind, reason: "Why." } });

  it.each([
    ["tests", { state: "worktree", retry: "tests: Why." }],
    ["worktree", { state: "worktree", retry: undefined }],
    ["push", { state: "committed", retry: undefined }],
    ["pull_request", { state: "pushed", retry: undefined }],
  ] as const)("after %s", (kind, now) => {
    const again = retried(failed(kind));
    expect({ ...again, retry: again?.retry }).toMatchObject({ ...now, deaths: 0, retries: 1 });
    expect([again?.error, again?.ended]).toEqual([undefined, undefined]);
  });

  it("lets a skipped unit wait again, and nothing else", () => {
    expect(retried(recordOf("u1", { state: "skipped", missing: ["u2"], retries: 1 }))).toEqual(recordOf("u1", { retries: 2 }));
    expect([retried(failed("conflict")), retried(recordOf("u1", { state: "done" }))]).toEqual([undefined, undefined]);
  });
});
