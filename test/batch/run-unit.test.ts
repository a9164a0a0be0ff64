// One unit from its recorded state to its end, with ports that answer at once.
import { expect, it } from "vitest";
import { createStore } from "../../src/batch/batch-record.ts";
import { batchLayout } from "../../src/batch/layout.ts";
import { planText } from "../../src/batch/plan/plan-file.ts";
import type { Repository } from "../../src/batch/repository.ts";
import { runUnit } from "../../src/batch/run-unit.ts";
import type { UnitEnd } from "../../src/batch/unit-agent.ts";
import type { UnitRecord } from "../../src/batch/unit-record.ts";
import { clock } from "../../src/edge/clock.ts";
import { batchRecord, recordOf, unit } from "./plans.ts";

const outcome = { kind: "tested", passed: true, tests: "✓ 1", output: "", title: "T", summary: "S" } as const;
const passed: UnitEnd = { kind: "outcome", outcome };
const gone: UnitEnd = { kind: "ended", how: "SIGKILL" };

type Given = { record?: Partial<UnitRecord>; ends?: UnitEnd[]; repository?: Partial<Repository>; isAborted?: boolean };

/** Runs unit `u1` of a batch that only creates branches. `calls`: the calls to the repository, in order. */
async function run({ record = {}, ends = [passed], repository = {}, isAborted = false }: Given) {
  const files = new Map<string, string>();
  const disk = {
    read: (path: string) => (files.has(path) ? Buffer.from(files.get(path) ?? "") : undefined),
    replace: (path: string, text: string) => void files.set(path, text),
    makeFolder: () => {},
  };
  const units = [unit("u1")];
  const store = createStore(disk, batchLayout("/config", "7"), {
    batch: batchRecord({ pull_requests: undefined }),
    planText: planText({ units }, { instruction: "Do it.", head: "c0" }),
    units: [recordOf("u1", record)],
  });
  const calls: string[] = [];
  const called = (name: string, value: unknown) => async () => {
    calls.push(name);
    return { ok: true, value };
  };
  const answers = {
    addWorktree: called("addWorktree", undefined),
    stage: called("stage", [{ path: "src/u1.js", kind: "changed" }]),
    commit: called("commit", "c1"),
    fileAt: async () => undefined,
    removeWorktree: called("removeWorktree", undefined),
    ...repository,
  } as unknown as Repository;
  const states: string[] = [];
  const stopping = new AbortController();
  if (isAborted) stopping.abort();
  const waiting = [...ends];
  const end = await runUnit({
    store,
    repository: answers,
    forge: undefined,
    clock,
    ignoredFiles: "",
    apart: true,
    sandboxFound: { kind: "works" },
    unit: unit("u1"),
    signal: stopping.signal,
    put(next) {
      store.put(next);
      states.push(next.state);
    },
    onLine() {},
    testsFirst: () => false,
    onSpent: () => () => {},
    firstCallUsd: () => 1,
    takePlace: async () => ({ place: undefined, free: () => {} }),
    startUnit: () => ({ othersSpent() {}, ended: Promise.resolve(waiting.shift() ?? passed) }),
  });
  const { state, error, commit, kept, deaths } = store.unit("u1");
  return { end, states, calls, unit: { state, error, commit, kept, deaths } };
}

const nothing = { error: undefined, commit: undefined, kept: undefined, deaths: 0 };
const refusing = (name: keyof Repository, reason: string) => ({ [name]: async () => ({ ok: false, error: { kind: "failed", reason } }) });

it("goes through its states to a commit, and saves each state before the next step", async () => {
  expect(await run({})).toEqual({
    end: "settled",
    states: ["worktree", "working", "committed", "done"],
    calls: ["addWorktree", "stage", "commit", "removeWorktree"],
    unit: { ...nothing, state: "done", commit: "c1" },
  });
});

it("continues from the recorded state without repeating earlier steps", async () => {
  expect(await run({ record: { state: "committed", commit: "c1" } })).toMatchObject({
    end: "settled",
    states: ["done"],
    calls: ["removeWorktree"],
  });
  expect(await run({ record: { state: "done" } })).toMatchObject({ end: "settled", states: [], calls: [] });
});

it("keeps the worktree and says why if it cannot be removed", async () => {
  const { unit: kept } = await run({ repository: refusing("removeWorktree", "It has files that are not committed.") });
  expect(kept).toMatchObject({ state: "done", kept: "It has files that are not committed." });
});

it.each([
  ["worktree", refusing("addWorktree", "The disk is full.")],
  ["commit", refusing("commit", "It has a secret.")],
  ["no_change", { stage: async () => ({ ok: true, value: [] }) }],
] as const)("fails with %s", async (kind, repository) => {
  expect(await run({ repository: repository as Partial<Repository> })).toMatchObject({
    end: "settled",
    unit: { state: "failed", error: { kind } },
  });
});

it("fails with the output of tests that do not pass", async () => {
  const failing: UnitEnd = { kind: "outcome", outcome: { ...outcome, passed: false, tests: "✗ 1", output: "1 is not 2" } };
  expect((await run({ ends: [failing] })).unit).toMatchObject({
    state: "failed",
    error: { kind: "tests", reason: "node --test test/u1.test.js: ✗ 1\n1 is not 2" },
  });
});

it("starts its process again when it dies, three times at most", async () => {
  expect((await run({ ends: [gone, gone, passed] })).unit).toMatchObject({ state: "done", deaths: 2 });
  expect((await run({ ends: [gone, gone, gone, passed] })).unit).toMatchObject({
    state: "failed",
    deaths: 3,
    error: { kind: "agent", reason: "Its process ended 3 times before it was done, the last time with SIGKILL" },
  });
});

it("stops where it can continue: before a step when interrupted, and at the end of the budget", async () => {
  expect(await run({ isAborted: true })).toMatchObject({ end: "interrupted", states: [], calls: [], unit: { state: "planned" } });
  const spent: UnitEnd = { kind: "outcome", outcome: { kind: "budget", reason: "It is spent." } };
  expect(await run({ ends: [spent] })).toMatchObject({ end: "budget", unit: { ...nothing, state: "working" } });
});
