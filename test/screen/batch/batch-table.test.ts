import { stripVTControlCharacters } from "node:util";
import { describe, expect, it } from "vitest";
import type { BatchStore } from "../../../src/batch/batch-record.ts";
import type { UnitRecord } from "../../../src/batch/unit-record.ts";
import { batchListJson, batchListText } from "../../../src/screen/batch/batch-list.ts";
import { batchJson, batchReport, movedLine, pullRequestsText } from "../../../src/screen/batch/batch-report.ts";
import { batchTable } from "../../../src/screen/batch/batch-table.ts";
import { createStyle } from "../../../src/screen/style.ts";
import { planOf, recordOf } from "../../batch/plans.ts";

const style = createStyle({ NO_COLOR: "1", LANG: "C.UTF-8" });
const plan = planOf(5);

const used = { turns: 4, tokens: 12_000, cost_usd: 0.25, elapsed_ms: 72_000 };
const records: UnitRecord[] = [
  {
    ...recordOf("u1"),
    ...used,
    state: "done",
    tests: "✓ 14 passed",
    pull_request: { number: 101, url: "https://github.com/acme/app/pull/101" },
  },
  { ...recordOf("u2"), ...used, from: "abc", state: "failed", error: { kind: "tests", reason: "npm test: ✗ 2 failed\nmore" } },
  { ...recordOf("u3"), state: "working" },
  { ...recordOf("u4"), state: "skipped", missing: ["u2"] },
  recordOf("u5"),
];

const store = {
  layout: { failures: "/home/ann/.tool/batches/7/failures.jsonl" },
  batch: {
    id: "7",
    planning_usd: 0.1,
    budget_usd: 5,
    created_at: "2026-11-22T12:00:00Z",
    instruction: "Replace the logger",
    root: "/repo/app",
  },
  plan,
  unit: (id: string) => records.find((record) => record.id === id),
  units: () => records,
} as BatchStore;

const view = {
  now: new Map([["u3", { doing: "Edit src/u3.js", turns: 2, tokens: 5_000, costUsd: 0.11, startedMs: 1_000 }]]),
  startedMs: 0,
  nowMs: 62_000,
  style,
  columns: 120,
  rows: 30,
};

describe("batchTable()", () => {
  it("says of what runs that it is being stopped, once the batch is", () => {
    expect(batchTable(store, { ...view, isStopping: true })[3]).toMatch(/ ▶ {2}Logger in u3 {2}stopping {2}2 {6}5\.0k +\$0\.11 +1m01s$/);
  });

  it("shows what each unit is doing, and the totals", () => {
    expect(batchTable(store, view)).toEqual([
      "  #     unit          state    turns  tokens  cost   time",
      "  1  ✓  Logger in u1  done     4      12.0k   $0.25  1m12s  https://github.com/acme/app/pull/101  ✓ 14 passed",
      "  2  ✗  Logger in u2  failed   4      12.0k   $0.25  1m12s  tests: npm test: ✗ 2 failed",
      "  3  ▶  Logger in u3  working  2      5.0k    $0.11  1m01s  Edit src/u3.js",
      "  4  ·  Logger in u4  skipped  0      0       $0.00         skipped: it needs u2, which failed",
      "  5  ·  Logger in u5  planned  0      0       $0.00",
      "1 ✓  1 ✗  1 ▶  1 waiting  1 skipped │ 1m02s │ $0.71 of $5.00",
    ]);
  });

  it("says where a unit works, and where hands have died under it", () => {
    const state = (place: Partial<UnitRecord>) => {
      const there = { ...recordOf("u3"), state: "working" as const, ...place };
      return batchTable({ ...store, unit: (id) => (id === "u3" ? there : store.unit(id)) }, { ...view, columns: 160 })[3];
    };
    const hands = { place: "gpu", state: "working" as const, restarts: 1, round_trip_ms: 12, sent_bytes: 1, received_bytes: 1 };
    expect(state({ place: "gpu", hands, left: ["far"] })).toContain("working at gpu, 12ms, 1 restart  ");
    expect(state({ place: "gpu" })).toContain("working at gpu  ");
    expect(state({ hands, left: ["gpu", "far"] })).toContain("working here, hands died at gpu and far  ");
  });

  it("leaves room for what a unit does: at 80 columns and at 40", () => {
    const hands = { place: "gpu", state: "working" as const, restarts: 1, round_trip_ms: 12, sent_bytes: 1, received_bytes: 1 };
    const there = { ...recordOf("u3"), state: "working" as const, place: "gpu", hands };
    const placed = { ...store, unit: (id: string) => (id === "u3" ? there : store.unit(id)) };
    expect(batchTable(placed, { ...view, columns: 80 })).toEqual([
      "  #     unit          state           cost   time",
      "  1  ✓  Logger in u1  done            $0.25  1m12s  https://github.com/acme/ap…",
      "  2  ✗  Logger in u2  failed          $0.25  1m12s  tests: npm test: ✗ 2 failed",
      "  3  ▶  Logger in u3  working at gpu  $0.11  1m01s  Edit src/u3.js",
      "  4  ·  Logger in u4  skipped         $0.00         skipped: it needs u2, whic…",
      "  5  ·  Logger in u5  planned         $0.00",
      "1 ✓  1 ✗  1 ▶  1 waiting  1 skipped │ 1m02s │ $0.71 of $5.00",
    ]);
    expect(batchTable(placed, { ...view, columns: 40 })).toEqual([
      "  #     unit",
      "  1  ✓  Logger in u1  https://github.c…",
      "  2  ✗  Logger in u2  tests: npm test:…",
      "  3  ▶  Logger in u3  Edit src/u3.js",
      "  4  ·  Logger in u4  skipped: it need…",
      "  5  ·  Logger in u5",
      "1 ✓  1 ✗  1 ▶  1 waiting  1 skipped │ …",
    ]);
  });

  it("says how long a command of the harness runs, and its newest line", () => {
    const now = { ...view.now.get("u3")!, doing: "hooks: pre-commit", newest: "waiting for a lock" };
    const doing = (sinceMs: number) => batchTable(store, { ...view, now: new Map([["u3", { ...now, sinceMs }]]) })[3];
    expect(doing(2_000)).toMatch(/ hooks: pre-commit, for 1m00s: waiting for a lock$/);
    expect(doing(60_000)).toMatch(/ hooks: pre-commit: waiting for a lock$/);
  });

  it("fits the terminal: running units stay, and no line is wider", () => {
    const small = batchTable(store, { ...view, columns: 50, rows: 5 });
    expect(small).toHaveLength(5);
    expect(small.map((line) => stripVTControlCharacters(line).length).filter((length) => length > 49)).toEqual([]);
    expect(small.slice(1, 4)).toEqual([expect.stringMatching(/^ {2}3 {2}▶/), expect.stringMatching(/^ {2}5 {2}·/), "  3 more"]);
  });
});

describe("pullRequestsText()", () => {
  it.each([
    [0, "The forge has no pull requests."],
    [1, "The forge has 1 pull request:\n  Log: tool/log into main"],
    [2, "The forge has 2 pull requests:\n  Log: tool/log into main\n  Log: tool/log into main"],
  ])("has a sentence for %i", (number, said) => {
    expect(pullRequestsText(Array.from({ length: number }, () => ({ title: "Log", head: "tool/log", base: "main" })))).toBe(said);
  });
});

describe("batchReport()", () => {
  it("names every unit's result, the kept worktrees, and how to continue", () => {
    const lines = batchReport(store, { style, command: "tool batch" }).split("\n");
    expect(lines[0]).toBe("Batch 7: 1 unit done, 1 failed, 1 skipped, 2 open, 24.0k tokens, $0.60");
    expect(lines.slice(6)).toEqual([
      "  worktree of u2: /repo/app-batch-7/u2",
      "What failed is in /home/ann/.tool/batches/7/failures.jsonl",
      "To retry what failed, in the same worktrees: tool batch --retry 7 (with --max-turns, --allow and the like)",
      "To remove what is left of one: tool drop 7/u2",
      "Resume: tool batch --resume 7",
    ]);
  });

  it("names no worktree of a temporary repository", () => {
    const temporary = { style, command: "tool batch", isTemporary: true };
    expect(batchReport(store, temporary).split("\n").slice(6)).toEqual([]);
    const settled = { ...store, units: () => records.slice(0, 2), plan: { units: plan.units.slice(0, 2) } };
    expect(batchReport(settled, temporary).split("\n").slice(3)).toEqual(["What failed is in /home/ann/.tool/batches/7/failures.jsonl"]);
  });

  it("says of a unit that ended here that its hands had died elsewhere", () => {
    const hands = { place: "gpu", state: "gone" as const, restarts: 0, sent_bytes: 1, received_bytes: 1 };
    const home = { ...records[0]!, pull_request: undefined, branch: "b", hands, left: ["gpu"] };
    const homed = { ...store, unit: (id: string) => (id === "u1" ? home : store.unit(id)) };
    expect(batchReport(homed, { style, command: "tool batch" })).toContain("branch b  here, hands died at gpu  ✓ 14 passed");
    const [first, second] = batchJson(homed, { code: 0, incidents: [] })["units"] as object[];
    expect(first).toMatchObject({ hands_died_at: ["gpu"] });
    expect([first, second].flatMap((one) => Object.keys(one ?? {})).filter((key) => /^(place|hands)/.test(key))).toEqual(["hands_died_at"]);
  });

  it("is the same for scripts", () => {
    expect(batchJson(store, { code: 1, incidents: [] })).toMatchObject({
      type: "batch_result",
      id: "7",
      exit_code: 1,
      done: 1,
      failed: 1,
      skipped: 1,
      open: 2,
    });
  });
});

describe("batchListText()", () => {
  it("lists the result of each batch, and how to continue it", () => {
    const settled = records.filter(({ state }) => state !== "working" && state !== "planned");
    const finished = { ...store, units: () => settled } as BatchStore;
    const done = { ...store, units: () => settled.slice(0, 1) } as BatchStore;
    const listed = [
      { store, isGone: false, holder: "process 12" },
      ...[store, finished, done].map((each) => ({ store: each, isGone: false })),
      { store: finished, isGone: true },
    ];
    expect(batchListText(listed, { style, command: "tool batch" }).split("\n")).toEqual([
      "batch  begun             units                        next                   change              in",
      "7      2026-11-22 12:00  1 ✓  1 ✗  1 skipped  2 open  in process 12          Replace the logger  /repo/app",
      "7      2026-11-22 12:00  1 ✓  1 ✗  1 skipped  2 open  tool batch --resume 7  Replace the logger  /repo/app",
      "7      2026-11-22 12:00  1 ✓  1 ✗  1 skipped  0 open  tool batch --retry 7   Replace the logger  /repo/app",
      "7      2026-11-22 12:00  1 ✓  0 ✗  0 skipped  0 open                         Replace the logger  /repo/app",
      "7      2026-11-22 12:00  1 ✓  1 ✗  1 skipped  0 open  repository is gone     Replace the logger  /repo/app",
    ]);
    expect(listed.map(batchListJson).map(({ running, next }) => [running, next])).toEqual([
      ["process 12", null],
      [null, "resume"],
      [null, "retry"],
      [null, null],
      [null, null],
    ]);
  });
});

describe("movedLine()", () => {
  it("is one line for each fact", () => {
    expect(records.map(movedLine)).toEqual([
      "u1 done",
      "u2 failed: tests: npm test: ✗ 2 failed",
      "u3 working",
      "u4 skipped: it needs u2, which failed",
      "u5 planned",
    ]);
  });
});
