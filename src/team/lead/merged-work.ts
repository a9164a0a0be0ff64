// What the lead does with the worktrees of its team: it predicts conflicts while the teammates still work, and once all tasks are completed it runs
// the suite on the merged work.
import type { Draft } from "../../board/messages/sender.ts";
import { predictedForLead, predictedText, type TeamTrees } from "../worktrees.ts";

export type PredictionPorts = {
  trees: Pick<TeamTrees, "predict">;
  /** The teammates that run. */
  names: () => string[];
  send: (draft: Draft) => unknown;
  onNotice: (text: string) => void;
  nowMs: () => number;
};

/** Predicts at most every `betweenLooksMs`, one prediction at a time. Each pair with its set of files is reported once. */
export function createPredictions({ trees, names, send, onNotice, nowMs }: PredictionPorts): () => Promise<void> {
  const told = new Set<string>();
  let next = 0;
  let looks = false;
  return async () => {
    if (looks || nowMs() < next || names().length < 2) return;
    looks = true;
    try {
      for (const found of await trees.predict(names())) {
        const key = [...found.pair, ...found.files].join("\0");
        if (told.has(key)) continue;
        told.add(key);
        const [one, other] = found.pair;
        send({ from: other, to: one, kind: "notice", text: predictedText(found.files, other) });
        send({ from: one, to: other, kind: "notice", text: predictedText(found.files, one) });
        send({ from: one, to: "lead", kind: "notice", text: predictedForLead(found) });
        onNotice(predictedForLead(found));
      }
    } finally {
      looks = false;
      next = nowMs() + betweenLooksMs;
    }
  };
}

/** Each look writes uncommitted content into git's object store. */
const betweenLooksMs = 10_000;

export type SuiteRun = { kind: "passed" } | { kind: "failed"; output: string } | { kind: "not run"; reason: string };

/** A worktree of the merged work at a commit. */
export type Union = { folder: string; commit: string };

export type UnionPorts = {
  trees: Pick<TeamTrees, "union" | "merged">;
  /** Absent: there is no test command. */
  test: string | undefined;
  run: (union: Union, signal: AbortSignal) => Promise<SuiteRun>;
  /** Adds an unassigned task. */
  addTask: (task: { title: string; description: string }) => Promise<{ ok: true } | { ok: false; reason: string }>;
};

/** `task`: the failure has become a task. `told`: `text` is for the lead's model, below the message that all tasks are completed. */
export type Checked = { kind: "told"; text: string; failed: boolean } | { kind: "task" };

/** Tests each commit of the merged work once. A failure becomes a task, at most `mostTasks` times; after that it is only reported. */
export function createUnionCheck({ trees, test, run, addTask }: UnionPorts): (signal: AbortSignal) => Promise<Checked> {
  let checked: { commit: string; result: Checked } | undefined;
  let tasks = 0;
  return async (signal) => {
    const where = `The merged work is on the branch ${trees.merged}.`;
    if (test === undefined) return { kind: "told", text: `${where} No test command was given for it (--test).`, failed: false };
    const union = await trees.union();
    if (!union.ok) return { kind: "told", text: `The merged work was not tested: ${union.reason}.`, failed: true };
    if (checked?.commit === union.commit && checked.result.kind === "told") return checked.result;
    const suite = await run(union, signal);
    const result = await outcome(suite);
    if (!signal.aborted) checked = { commit: union.commit, result };
    return result;

    async function outcome(suite: SuiteRun): Promise<Checked> {
      if (suite.kind === "passed") return { kind: "told", text: `${where} There ${test} passes.`, failed: false };
      if (suite.kind === "not run") return { kind: "told", text: `${where} ${test} was not run there: ${suite.reason}`, failed: true };
      const fails = { kind: "told", text: `${where} There ${test} fails:\n${suite.output}`, failed: true } as const;
      if (tasks === mostTasks) return fails;
      tasks++;
      const added = await addTask({
        title: `Fix what ${test} finds in the merged work`.slice(0, 200),
        description: `All tasks are completed and merged, and ${test} fails on the merged work:\n\n${suite.output}\n\nYour worktree has all of it. Find the cause, fix it, and run ${test} until it passes.`,
      });
      return added.ok ? { kind: "task" } : fails;
    }
  };
}

/** The last result of `test` for the user; it ran at `commit`, and the branch is at `tip`. Undefined if it has not run. */
export function testedText(test: string, tested: { suite: SuiteRun; commit: string } | undefined, tip: string | undefined) {
  if (!tested) return undefined;
  if (tested.commit !== tip) return `${test} was not run on its last commits`;
  switch (tested.suite.kind) {
    case "passed":
      return `${test} passes there`;
    case "failed":
      return `${test} fails there`;
    case "not run":
      return `${test} was not run there`;
  }
}

/** After this many repair tasks, a failing suite is left to the user. */
const mostTasks = 3;
