// What a batch decides between its units, with ports that answer at once; test/e2e/batch.test.ts uses the real ones.
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { type BatchDisk, type BatchRecord, createStore, openStore } from "../../src/batch/batch-record.ts";
import type { Forge } from "../../src/batch/forge.ts";
import { batchLayout } from "../../src/batch/layout.ts";
import type { Unit } from "../../src/batch/plan/plan.ts";
import { planText } from "../../src/batch/plan/plan-file.ts";
import type { Repository } from "../../src/batch/repository.ts";
import { runBatch } from "../../src/batch/run-batch.ts";
import type { StartUnit, UnitOrder, UnitOutcome } from "../../src/batch/unit-agent.ts";
import { disk as realDisk } from "../../src/edge/disk/disk.ts";
import { lacks } from "../needs.ts";
import { fill, smallDisk } from "../scratch.ts";
import { batchRecord, planOf, recordOf, unit } from "./plans.ts";

function memoryDisk() {
  const files = new Map<string, string>();
  const disk: BatchDisk & { append(path: string, text: string): void } = {
    read: (path) => (files.has(path) ? Buffer.from(files.get(path) ?? "") : undefined),
    replace: (path, text) => void files.set(path, text),
    append: (path, text) => void files.set(path, (files.get(path) ?? "") + text),
    makeFolder: () => {},
  };
  return { disk, files };
}

const tested: UnitOutcome = { kind: "tested", passed: true, tests: "✓ 1 passed", output: "", title: "T", summary: "S" };

const always = () => tested;

const noSmallDisk = await lacks("a file system of its own");

type Faults = {
  outcomeOf?: (id: string) => UnitOutcome;
  pushMs?: number;
  /** The part of each unit's one dollar that its first call costs. */
  firstCallUsd?: number;
  /** Replaces answers of a repository and a forge that never fail. */
  faults?: Partial<Repository>;
  forgeFaults?: Partial<Forge>;
  change?: Partial<BatchRecord>;
  /** Called after a push or a request has taken effect; what it returns replaces the answer. `signal` cancels the call. */
  onRemote?: (
    call: "push" | "request",
    ending: AbortController,
    signal: AbortSignal | undefined,
  ) => { ok: false; error: { kind: "network"; reason: string } } | undefined;
  /** Throws to simulate a failing disk. */
  onPut?: (path: string, text: string) => void;
  /** A folder on the real disk; a batch that is already there continues. */
  folder?: string;
};

/** `outcomeOf`: the result of a unit's process, which costs a dollar. `heard`: what it was told about the costs of the others. */
async function run(
  units: Unit[],
  {
    outcomeOf = always,
    pushMs = 0,
    firstCallUsd = 1,
    faults = {},
    forgeFaults = {},
    change = {},
    onRemote = () => undefined,
    onPut = () => {},
    folder,
  }: Faults = {},
) {
  const memory = memoryDisk();
  const { files } = memory;
  const below = folder === undefined ? memory.disk : realDisk;
  let isBegun = false;
  const disk: typeof memory.disk = {
    ...below,
    replace(path, text) {
      if (isBegun) onPut(path, text);
      below.replace(path, text);
    },
  };
  const layout = batchLayout(folder ?? "/home/ann/.tool", "7");
  const batch = batchRecord(change);
  const records = units.map(({ id }) => recordOf(id, { session: id }));
  const made = { batch, planText: planText({ units }, { instruction: "Do it", head: "head" }), units: records };
  const store = disk.read(layout.record) ? openStore(disk, layout) : createStore(disk, layout, made);
  const ending = new AbortController();
  const messages = new Map<string, string>();
  const branches = new Map<string, string>();
  const pushed: string[] = [];
  const heard = new Map<string, number[]>();
  const ok = async <T>(value: T) => ({ ok: true as const, value });
  const repository: Repository = {
    addWorktree: () => ok(undefined),
    includeIgnored: () => ok([]),
    stage: () => ok([{ path: "a.js", kind: "changed" as const }]),
    commit(folder, message) {
      messages.set(basename(folder), message);
      return ok(`commit of ${folder}`);
    },
    fileAt: async () => undefined,
    commitOf: async (branch) => branches.get(branch),
    createBranch(branch, from) {
      if (!branches.has(branch)) branches.set(branch, from);
      return ok(branches.get(branch) ?? from);
    },
    merge({ branch, from }) {
      branches.set(branch, `with ${from}`);
      return ok("merged");
    },
    async push(branch, _remote, signal) {
      pushed.push(branch);
      await new Promise((resolve) => setTimeout(resolve, pushMs));
      return onRemote("push", ending, signal) ?? ok(undefined);
    },
    removeWorktree: () => ok(undefined),
    deleteBranch: () => ok(undefined),
    ...faults,
  };
  const pulls: { head: string; base: string; body: string }[] = [];
  const pullOf = (head: string) => {
    const number = pulls.findIndex((pull) => pull.head === head) + 1;
    return number === 0 ? undefined : { number, url: `https://forge/${head}`, state: "open" as const };
  };
  const forge: Forge = {
    name: "a forge",
    preflight: () => ok({ login: "ann" }),
    findPullRequest: (head) => ok(pullOf(head)),
    async openPullRequest({ head, base, body }, signal) {
      pulls.push({ head, base, body });
      return onRemote("request", ending, signal) ?? ok(pullOf(head)!);
    },
    ...forgeFaults,
  };
  const orders = new Map<string, UnitOrder>();
  const startUnit: StartUnit = ({ folder: _folder, ...order }, { line }) => ({
    othersSpent: (usd) => void heard.set(order.unit.id, [...(heard.get(order.unit.id) ?? []), usd]),
    ended: Promise.resolve().then(() => {
      const { id } = order.unit;
      orders.set(id, order);
      const outcome = outcomeOf(id);
      line({ type: "progress", at: "working", doing: "", turns: 1, tokens: 5, cost_usd: firstCallUsd });
      line({ type: "outcome", outcome, turns: 1, tokens: 10, cost_usd: 1 });
      return { kind: "outcome", outcome };
    }),
  });
  const clock = { now: () => new Date(0), monotonicMs: () => 0, sleep: async () => {}, random: () => 0 };
  const ports = {
    store,
    repository,
    forge,
    startUnit,
    clock,
    disk,
    ignoredFiles: "",
    apart: true,
    sandboxFound: { kind: "works" as const },
    estimatedFirstCallUsd: 0.25,
    atOnceHere: 8,
    signal: ending.signal,
    onMoved: () => {},
    onLine: () => {},
  };
  isBegun = true;
  const end = await runBatch(ports);
  const states = () => Object.fromEntries(store.units().map(({ id, state }) => [id, state]));
  return {
    end,
    states: states(),
    resume: async () => ({ end: await runBatch({ ...ports, signal: new AbortController().signal }), states: states() }),
    pushed,
    pulls,
    heard,
    orders,
    files,
    layout,
    store,
    messages,
  };
}

describe("runBatch()", () => {
  it("tells each agent what all others have spent, including the planner", async () => {
    const { heard, end } = await run(planOf(5).units);
    expect(end).toBe("finished");
    expect(heard.get("u1")?.[0]).toBe(0.5);
    expect(heard.get("u5")?.[0]).toBe(4.5);
  });

  it("reserves a unit's first request: as estimated, then as the most expensive so far; and for units that start later", async () => {
    const { heard, orders } = await run(planOf(5).units, { firstCallUsd: 0.4 });
    expect([...orders.values()].map(({ firstCallUsd }) => firstCallUsd)).toEqual([0.25, 0.25, 0.4, 0.4, 0.4]);
    expect([heard.get("u1")?.[0], heard.get("u2")?.[0]]).toEqual([0.5, 0.75]);
  });

  it("starts no further unit when the budget is too small, and leaves waiting units unchanged", async () => {
    const { end, states } = await run(planOf(5).units, {
      outcomeOf: (id) => (id === "u2" ? { kind: "budget", reason: "$4.9 of the budget of $5 is spent." } : tested),
    });
    expect(end).toBe("budget");
    expect(states).toMatchObject({ u2: "working", u5: "planned" });
  });

  it("pushes the branch of a phase once, although several units need it at once", async () => {
    const next = ["x", "y"].map((id) => unit(id, { phase: 2 }));
    const { pushed, pulls, states } = await run([...planOf(5).units, ...next], { pushMs: 5 });
    expect(new Set(Object.values(states))).toEqual(new Set(["done"]));
    expect(pushed.filter((branch) => branch === "tool/batch-7/phase-1")).toHaveLength(1);
    expect(pulls.filter(({ base }) => base === "tool/batch-7/phase-1").map(({ head }) => head)).toEqual([
      "tool/batch-7/x",
      "tool/batch-7/y",
    ]);
  });

  it("fails a unit whose commit the repository's hooks refuse, and reports units whose hooks did not run", async () => {
    const ran: Record<string, UnitOutcome> = {
      u1: { ...tested, hooks: { kind: "refused", output: "no tabs, please" } },
      u2: { ...tested, hooks: { kind: "not_run", why: "there is no sandbox" } },
      u3: { ...tested, hooks: { kind: "passed", message: "T\n\nS\nIssue: 7\n" } },
    };
    const { states, store, messages } = await run(planOf(5).units, { outcomeOf: (id) => ran[id] ?? tested });
    expect(states).toEqual({ u1: "failed", u2: "done", u3: "done", u4: "done", u5: "done" });
    expect(store.unit("u1").error).toEqual({ kind: "commit", reason: "pre-commit refused: no tabs, please" });
    expect(store.unit("u2").hooks).toBe("pre-commit did not run: there is no sandbox");
    expect(messages).toEqual(
      new Map([
        ["u2", "T\n\nS\n"],
        ["u3", "T\n\nS\nIssue: 7\n"],
        ["u4", "T\n\nS\n"],
        ["u5", "T\n\nS\n"],
      ]),
    );
  });

  it("records each failure once", async () => {
    const failing: UnitOutcome = { kind: "failed", why: "max_turns", reason: "The limit of 3 turns was reached." };
    const { states, files, layout } = await run([...planOf(5).units, unit("x", { phase: 2, needs: ["u3"] })], {
      outcomeOf: (id) => (id === "u3" ? failing : tested),
    });
    expect(states).toMatchObject({ u3: "failed", x: "skipped" });
    const lines = (files.get(layout.failures) ?? "").trim().split("\n");
    expect(lines.map((line) => JSON.parse(line)).map(({ item, error }) => [item, error])).toEqual([
      ["u3", "max_turns: The limit of 3 turns was reached."],
      ["x", "skipped: it needs u3, which failed"],
    ]);
  });

  const fails = <K extends string>(kind: K, reason: string, at: (name: string) => boolean = (name) => name.includes("u2")) => {
    return async (name: string) => (at(name) ? { ok: false as const, error: { kind, reason } } : { ok: true as const, value: undefined });
  };
  const commitOf = async (folder: string) => ({ ok: true as const, value: `commit of ${folder}` });
  const faulty: [string, Faults, string, string][] = [
    ["a protected branch", { faults: { push: fails("rejected", "GH006: Protected branch update failed") } }, "push", "GH006"],
    ["no right to push", { faults: { push: fails("auth", "returned error: 403") } }, "push", "403"],
    ["a remote that does not answer", { faults: { push: fails("network", "Could not resolve host") } }, "push", "resolve"],
    [
      "a full disk under a worktree",
      { faults: { addWorktree: ({ folder }) => fails("failed", "No space left on device")(folder) } },
      "worktree",
      "No space",
    ],
    [
      "a secret in a commit",
      {
        faults: {
          commit: async (folder) => (folder.endsWith("u2") ? { ok: false, error: { kind: "failed", reason: "a key" } } : commitOf(folder)),
        },
      },
      "commit",
      "a key",
    ],
    [
      "no change",
      { faults: { stage: async (folder) => ({ ok: true, value: folder.endsWith("u2") ? [] : [{ path: "a.js", kind: "changed" }] }) } },
      "no_change",
      "changed no file",
    ],
    ["a forge that answers 401", { forgeFaults: { findPullRequest: fails("auth", "Bad credentials") } }, "pull_request", "Bad credentials"],
    [
      "a forge that answers 500 again and again",
      { forgeFaults: { findPullRequest: fails("server", "GitHub answers 500") } },
      "pull_request",
      "500",
    ],
    ["a forge that does not answer", { forgeFaults: { findPullRequest: fails("network", "nothing within 30 s") } }, "pull_request", "30 s"],
    [
      "a forge that answers 422",
      {
        forgeFaults: {
          openPullRequest: async ({ head }) =>
            head.endsWith("u2")
              ? { ok: false, error: { kind: "invalid", reason: "No commits between main and u2" } }
              : { ok: true, value: { number: 1, url: `https://forge/${head}`, state: "open" } },
        },
      },
      "pull_request",
      "No commits",
    ],
  ];
  it.each(faulty)("records %s for the one unit, and continues with the others", async (_name, given, kind, words) => {
    const { end, states, store, files, layout } = await run(planOf(5).units, given);
    expect([end, states]).toEqual(["finished", { u1: "done", u2: "failed", u3: "done", u4: "done", u5: "done" }]);
    expect(store.unit("u2").error).toEqual({ kind, reason: expect.stringContaining(words) });
    expect((files.get(layout.failures) ?? "").trim().split("\n")).toHaveLength(1);
  });

  const cutShort = { ok: false as const, error: { kind: "network" as const, reason: "ended by a signal" } };
  it.each([
    ["push", "answers", undefined],
    ["push", "is cut short", cutShort],
    ["request", "answers", undefined],
    ["request", "is cut short", cutShort],
  ])("a batch interrupted during a %s that %s can be resumed, and nothing is done twice", async (at, _how, answer) => {
    const heard: (boolean | undefined)[] = [];
    const { end, states, resume, pulls, orders } = await run(planOf(5).units, {
      onRemote(call, ending, signal) {
        if (call !== at || ending.signal.aborted) return undefined;
        ending.abort();
        heard.push(signal?.aborted);
        return answer;
      },
    });
    expect(heard).toEqual([true]); // so that cancelling ends git and the request too
    expect([end, Object.values(states).filter((state) => state === "failed" || state === "done")]).toEqual(["interrupted", []]);
    const begun = orders.get("u1");
    const resumed = await resume();
    expect([resumed.end, new Set(Object.values(resumed.states))]).toEqual(["finished", new Set(["done"])]);
    expect(pulls.map(({ head }) => head).toSorted((a, b) => a.localeCompare(b))).toEqual(
      ["u1", "u2", "u3", "u4", "u5"].map((id) => `tool/batch-7/${id}`),
    );
    expect(orders.get("u1")).toBe(begun); // the agent had finished
  });

  it("retries a push after a lost connection, but not after a refusal", async () => {
    let lost = 0;
    const { states, pushed } = await run(planOf(5).units, {
      onRemote: (call) => (call === "push" && lost++ === 0 ? cutShort : undefined),
    });
    expect([new Set(Object.values(states)), pushed.length]).toEqual([new Set(["done"]), 6]);
    const refused: string[] = [];
    const push: Repository["push"] = async (branch) => {
      refused.push(branch);
      return { ok: false, error: { kind: "rejected", reason: "protected branch" } };
    };
    expect(new Set(Object.values((await run(planOf(5).units, { faults: { push } })).states))).toEqual(new Set(["failed"]));
    expect(refused).toHaveLength(5);
  });

  it("without a stack, opens every pull request for the base and names those that it needs", async () => {
    const { pulls, pushed, end } = await run([...planOf(5).units, unit("x", { phase: 2, needs: ["u1"] })], {
      change: { pull_requests: { base: "main", remote: "origin", stack: false } },
    });
    expect([end, new Set(pulls.map(({ base }) => base))]).toEqual(["finished", new Set(["main"])]);
    expect(pushed).not.toContain("tool/batch-7/phase-1");
    expect(pulls.find(({ head }) => head === "tool/batch-7/x")?.body).toContain("https://forge/tool/batch-7/u1");
  });

  it("opens no second pull request for a branch", async () => {
    const there = { number: 7, url: "https://forge/7", state: "open" as const };
    const { store, pulls } = await run(planOf(5).units, { forgeFaults: { findPullRequest: async () => ({ ok: true, value: there }) } });
    expect([store.unit("u1").pull_request, pulls]).toEqual([{ number: 7, url: "https://forge/7" }, []]);
  });

  it("fails the later of two conflicting units, but not the phase", async () => {
    const later = unit("x", { phase: 2, needs: ["u1"] });
    const merge: Repository["merge"] = async ({ from }) =>
      from.endsWith("u2")
        ? { ok: false, error: { kind: "conflict", reason: "both change a.js", files: ["a.js"] } }
        : { ok: true, value: "merged" };
    const { states, store } = await run([...planOf(5).units, later], { faults: { merge } });
    expect(states).toEqual({ u1: "done", u2: "failed", u3: "done", u4: "done", u5: "done", x: "done" });
    expect(store.unit("u2").error?.kind).toBe("conflict");
  });

  it("stops if its own files cannot be written", async () => {
    const refuse = (path: string, text: string) => {
      if (path.endsWith("u2.json") && text.includes('"done"')) throw new Error("ENOSPC: no space left on device");
    };
    const running = run(planOf(5).units, { onPut: refuse });
    await expect(running).rejects.toThrow("ENOSPC");
  });

  it.skipIf(noSmallDisk)("continues after a full disk when there is space, without repeating a finished agent", async () => {
    const { folder } = smallDisk("size=128k");
    let makeRoom = () => {};
    const begun: string[] = [];
    const outcomeOf = (id: string) => {
      begun.push(id);
      if (begun.length === 3) makeRoom = fill(folder);
      return tested;
    };
    await expect(run(planOf(5).units, { folder, outcomeOf })).rejects.toThrow("ENOSPC");
    makeRoom();
    const { end, states } = await run(planOf(5).units, { folder, outcomeOf });
    expect([end, new Set(Object.values(states))]).toEqual(["finished", new Set(["done"])]);
    expect(begun.filter((id) => id === "u1")).toEqual(["u1"]);
  });
});
