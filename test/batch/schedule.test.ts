// Which units start when, and how a unit changes state.
import { describe, expect, it } from "vitest";
import { hasLaterPhase, nextUnits, type Place, phaseBefore } from "../../src/batch/schedule.ts";
import { type FailureKind, moved, retried, type UnitState } from "../../src/batch/unit-record.ts";
import { recordOf, unit } from "./plans.ts";

const place = (id: string, state: UnitState, change: { phase?: number; needs?: string[] } = {}): Place => ({
  unit: unit(id, change),
  record: recordOf(id, { state }),
});

function next(places: Place[], { running = [], room = 9 }: { running?: string[]; room?: number } = {}) {
  const { start, skip } = nextUnits(places, { running: new Set(running), room });
  return { start: start.map(({ unit: { id } }) => id), skip: skip.map(({ unit: { id }, missing }) => [id, missing]) };
}

describe("nextUnits()", () => {
  it("starts units of the earliest open phase, in order, up to the limit", () => {
    const places = [
      place("a", "done"),
      place("b", "planned"),
      place("c", "testing"),
      place("d", "planned"),
      place("e", "planned", { phase: 2 }),
    ];
    expect(next(places, { running: ["c"], room: 1 })).toEqual({ start: ["b"], skip: [] });
    expect(next(places, { running: ["b", "c", "d"] })).toEqual({ start: [], skip: [] });
  });

  it("continues units that were begun before a restart, in any state", () => {
    expect(next([place("a", "pushed"), place("b", "working"), place("c", "planned")])).toEqual({ start: ["a", "b", "c"], skip: [] });
  });

  it("skips units that need a unit without a result, directly or indirectly", () => {
    const first = [place("a", "done"), place("b", "failed"), place("c", "planned", { phase: 2, needs: ["a", "b"] })];
    expect(next([...first, place("d", "planned", { phase: 2, needs: ["a"] })])).toEqual({ start: ["d"], skip: [["c", ["b"]]] });
    expect(next([place("b", "failed"), place("c", "skipped", { phase: 2 }), place("d", "planned", { phase: 3, needs: ["c"] })])).toEqual({
      start: [],
      skip: [["d", ["c"]]],
    });
  });

  it("starts nothing when all are settled", () => {
    expect(next([place("a", "done"), place("b", "failed"), place("c", "skipped")])).toEqual({ start: [], skip: [] });
  });
});

describe("phases", () => {
  it("are the phases of the units", () => {
    const units = [{ phase: 1 }, { phase: 4 }, { phase: 2 }];
    expect([1, 2, 4].map((phase) => [phaseBefore(units, phase), hasLaterPhase(units, phase)])).toEqual([
      [undefined, true],
      [1, true],
      [2, false],
    ]);
  });
});

describe("moved()", () => {
  it("allows only the moves from plan to pull request", () => {
    const way: UnitState[] = ["worktree", "working", "testing", "committed", "pushed", "pull_request", "done"];
    expect(way.reduce((now, state) => moved(now, state), recordOf("a", { state: "planned" })).state).toBe("done");
    expect(() => moved(recordOf("a", { state: "done" }), "working")).toThrow('Cannot move unit "a" from done to working');
    expect(() => moved(recordOf("a", { state: "pushed" }), "committed")).toThrow("from pushed to committed");
    expect(() => moved(recordOf("a", { state: "failed" }), "planned")).toThrow("from failed to planned");
  });
});

describe("retried()", () => {
  const failed = (kind: FailureKind) =>
    recordOf("a", { state: "failed", from: "abc", deaths: 3, ended: "exit 1", error: { kind, reason: "why" } });

  it("retries a failed unit where it failed, and tells its agent why", () => {
    const { error: _error, ended: _ended, ...rest } = failed("tests");
    expect(retried(failed("tests"))).toEqual({ ...rest, state: "worktree", retry: "tests: why", deaths: 0, retries: 1 });
    const kinds = ["worktree", "max_turns", "push", "pull_request", "conflict"] as const;
    expect(kinds.map((kind) => [retried(failed(kind))?.state, retried(failed(kind))?.retry])).toEqual([
      ["worktree", undefined],
      ["worktree", "max_turns: why"],
      ["committed", undefined],
      ["pushed", undefined],
      [undefined, undefined],
    ]);
  });

  it("lets a skipped unit wait again, counts retries, and leaves finished units alone", () => {
    expect(retried(recordOf("a", { state: "skipped", missing: ["b"], retries: 1 }))).toEqual(
      recordOf("a", { state: "planned", retries: 2 }),
    );
    expect(retried(recordOf("a", { state: "done" }))).toBeUndefined();
  });
});
