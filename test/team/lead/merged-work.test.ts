import { describe, expect, it } from "vitest";
import { createPredictions, createUnionCheck, type SuiteRun, testedText } from "../../../src/team/lead/merged-work.ts";
import type { Predicted } from "../../../src/team/worktrees.ts";

describe("createPredictions()", () => {
  function watched(names = ["ada", "bo"]) {
    const world = { found: [] as Predicted[], nowMs: 0, looks: 0, sent: [] as string[], notices: [] as string[] };
    const look = createPredictions({
      trees: {
        predict: async () => {
          world.looks++;
          return world.found;
        },
      },
      names: () => names,
      send: ({ from, to, kind }) => world.sent.push(`${kind} from ${from} to ${to}`),
      onNotice: (text) => world.notices.push(text),
      nowMs: () => world.nowMs,
    });
    const later = () => {
      world.nowMs += 60_000;
      return look();
    };
    return { world, look, later };
  }

  it("tells both owners and the lead once about each pair and set of files", async () => {
    const { world, later } = watched();
    world.found = [{ pair: ["ada", "bo"], files: ["a.ts"] }];
    await later();
    await later();
    expect(world.sent).toEqual(["notice from bo to ada", "notice from ada to bo", "notice from ada to lead"]);
    expect(world.notices).toEqual([
      "The worktrees of ada and bo cannot be merged in their current state: a.ts. The one who completes second will be asked to resolve it; change the tasks if that is too much.",
    ]);
    world.found = [{ pair: ["ada", "bo"], files: ["a.ts", "b.ts"] }];
    await later();
    expect([world.sent.length, world.looks]).toEqual([6, 3]);
  });

  it("looks now and then, one look at a time, and only where two are at work", async () => {
    const { world, look, later } = watched();
    await Promise.all([look(), look()]);
    await look();
    expect(world.looks).toBe(1);
    await later();
    expect(world.looks).toBe(2);
    const alone = watched(["ada"]);
    await alone.later();
    expect(alone.world.looks).toBe(0);
  });
});

describe("createUnionCheck()", () => {
  function checking(runs: SuiteRun[], test: string | undefined = "npm test") {
    const tasks: { title: string; description: string }[] = [];
    let commits = 0;
    const check = createUnionCheck({
      trees: {
        union: async () => ({ ok: true, folder: "/repo-team-1/union", commit: `c${commits}` }),
        merged: "tool/team-1/merged",
      },
      test,
      run: async () => runs.shift() ?? { kind: "passed" },
      async addTask(task) {
        tasks.push(task);
        return { ok: true };
      },
    });
    return { tasks, check: (signal = new AbortController().signal) => check(signal), changed: () => void commits++ };
  }

  it("makes a task from a failure, and reports success", async () => {
    const { tasks, check, changed } = checking([{ kind: "failed", output: "1 failing: dates" }]);
    expect(await check()).toEqual({ kind: "task" });
    expect(tasks).toEqual([
      { title: "Fix what npm test finds in the merged work", description: expect.stringContaining("1 failing: dates") },
    ]);
    changed();
    expect(await check()).toEqual({
      kind: "told",
      text: "The merged work is on the branch tool/team-1/merged. There npm test passes.",
      failed: false,
    });
  });

  it("leaves a suite that keeps failing to the person, and runs it once for each state", async () => {
    const failing: SuiteRun = { kind: "failed", output: "no" };
    const { tasks, check, changed } = checking([failing, failing, failing, failing]);
    for (let round = 0; round < 3; round++) {
      expect(await check()).toEqual({ kind: "task" });
      changed();
    }
    const last = { kind: "told", text: expect.stringContaining("There npm test fails:\nno"), failed: true };
    expect([await check(), await check(), tasks.length]).toEqual([last, last, 3]);
  });

  it("runs a suite again that was stopped", async () => {
    const { check } = checking([{ kind: "not run", reason: "it was stopped before its end." }, { kind: "passed" }]);
    expect([await check(AbortSignal.abort()), await check()]).toMatchObject([{ failed: true }, { failed: false }]);
  });

  it("says what was not tested, and why", async () => {
    const text = (reason: string) => `The merged work is on the branch tool/team-1/merged. ${reason}`;
    expect(await checking([{ kind: "not run", reason: "No rule allows it" }]).check()).toEqual({
      kind: "told",
      text: text("npm test was not run there: No rule allows it"),
      failed: true,
    });
    const untested = createUnionCheck({
      trees: { union: async () => ({ ok: false, reason: "" }), merged: "tool/team-1/merged" },
      test: undefined,
      run: async () => ({ kind: "passed" }),
      addTask: async () => ({ ok: true }),
    });
    expect(await untested(new AbortController().signal)).toEqual({
      kind: "told",
      text: text("No test command was given for it (--test)."),
      failed: false,
    });
  });
});

it("testedText() says what the last run of the suite means for the branch", () => {
  const passed: SuiteRun = { kind: "passed" };
  const failed: SuiteRun = { kind: "failed", output: "no" };
  const text = (suite: SuiteRun, tip: string) => testedText("npm test", { suite, commit: "c1" }, tip);
  expect([text(passed, "c1"), text(failed, "c1"), text({ kind: "not run", reason: "" }, "c1"), text(passed, "c2")]).toEqual([
    "npm test passes there",
    "npm test fails there",
    "npm test was not run there",
    "npm test was not run on its last commits",
  ]);
  expect(testedText("npm test", undefined, "c1")).toBe(undefined);
});
