// Takes one unit from its recorded state to its end. Every step can be repeated after a kill, because it first asks git and the forge what exists
// already.
import type { Clock } from "../agent/ports/clock.ts";
import type { BatchStore } from "./batch-record.ts";
import { changedTests, type Versions } from "./changed-tests.ts";
import { hooksText } from "./commit-hooks.ts";
import type { Forge } from "./forge.ts";
import { patiently } from "./forge-calls.ts";
import type { Unit } from "./plan/plan.ts";
import { commitMessage, pullRequestBody } from "./pull-request-text.ts";
import type { GitAnswer, Repository } from "./repository.ts";
import { hasLaterPhase, phaseBefore } from "./schedule.ts";
import { redBeforeText, testBefore } from "./test-before.ts";
import type { StartUnit, UnitEnd, UnitLine, UnitOrder, UnitOutcome } from "./unit-agent.ts";
import type { UnitPlaces } from "./unit-places.ts";
import { type FailureKind, moved, type UnitRecord } from "./unit-record.ts";

export type BatchPorts = {
  store: BatchStore;
  repository: Repository;
  /** Absent: only branches are made. */
  forge: Forge | undefined;
  startUnit: StartUnit;
  clock: Clock;
  /** Patterns of ignored files that worktrees need; may be empty. */
  ignoredFiles: string;
  sandboxFound: UnitOrder["sandboxFound"];
  /** Whether the agents see nothing of the person's tree. */
  apart: boolean;
};

export type UnitRun = BatchPorts & {
  unit: Unit;
  signal: AbortSignal;
  /** Saves the record and then reports it. */
  put(record: UnitRecord): void;
  /** Reports what the unit's agent is doing. */
  onLine(line: UnitLine): void;
  /** Calls `tell` whenever other units have spent; returns a function that unsubscribes. */
  onSpent(tell: (othersUsd: number) => void): () => void;
  /** Whether the unit, whose agent begins now, runs its test before. */
  testsFirst(unit: string): boolean;
  /** A place for its hands, which is its until the returned function is called; undefined for this machine. */
  takePlace: UnitPlaces["take"];
  /** The assumed cost of the first request of an agent that starts at this moment. */
  firstCallUsd(): number;
};

/** `paused`: it can continue later from its current state. */
type Paused = { paused: "interrupted" | "budget" };
type Step = (record: UnitRecord, run: UnitRun) => Promise<UnitRecord | Paused>;

const steps: Partial<Record<UnitRecord["state"], Step>> = {
  planned,
  worktree,
  working: work,
  testing: work,
  committed,
  pushed,
  pull_request: opened,
};

/** Resolves when the unit is settled or cannot continue in this run. */
export async function runUnit(run: UnitRun): Promise<"settled" | "interrupted" | "budget"> {
  for (;;) {
    const record = run.store.unit(run.unit.id);
    const step = steps[record.state];
    if (!step) return "settled";
    if (run.signal.aborted) return "interrupted";
    const next = await step(record, run);
    if ("paused" in next) return next.paused;
    if (next.state === "failed" && run.signal.aborted) return "interrupted"; // the interruption may be the cause, so the step is repeated on the next run
    run.put(next);
  }
}

export const phaseBranch = (batch: string, phase: number): string => `tool/batch-${batch}/phase-${phase}`;
export const unitBranch = (batch: string, unit: string): string => `tool/batch-${batch}/${unit}`;

const failed = (record: UnitRecord, kind: FailureKind, reason: string): UnitRecord => moved(record, "failed", { error: { kind, reason } });

/** The commit that the branch starts at is chosen once, before anything is made. */
async function planned(record: UnitRecord, { store, unit, repository }: UnitRun): Promise<UnitRecord> {
  return moved(record, "worktree", { from: await baseCommit(store, unit, repository) });
}

/** The merged result of the previous phase; if all its units failed, of the one before it. */
async function baseCommit(store: BatchStore, { phase }: Pick<Unit, "phase">, repository: Repository): Promise<string> {
  const before = phaseBefore(store.plan.units, phase);
  if (before === undefined) return store.batch.head;
  return (await repository.commitOf(phaseBranch(store.batch.id, before))) ?? baseCommit(store, { phase: before }, repository);
}

async function worktree(record: UnitRecord, { repository, store, ignoredFiles }: UnitRun): Promise<UnitRecord> {
  const { folder, branch, from = store.batch.head } = record;
  const added = await repository.addWorktree({ folder, branch, from });
  if (!added.ok) return failed(record, "worktree", added.error.reason);
  const included: GitAnswer<string[]> = ignoredFiles.trim()
    ? await repository.includeIgnored(folder, ignoredFiles)
    : { ok: true, value: [] };
  return included.ok ? moved(record, "working") : failed(record, "worktree", included.error.reason);
}

const mostDeaths = 3;

/** Runs the agent and its tests in a separate process. If the process dies without an outcome, a new one continues from the transcript. */
async function work(record: UnitRecord, run: UnitRun): Promise<UnitRecord | Paused> {
  if (record.ended !== undefined && record.deaths >= mostDeaths)
    return failed(record, "agent", `Its process ended ${record.deaths} times before it was done, the last time with ${record.ended}`);
  const { end, used, place } = await agentProcess(record, run);
  const now = { ...run.store.unit(record.id), ...used };
  if (end.kind === "ended" && run.signal.aborted) return { paused: "interrupted" };
  if (end.kind === "ended") return moved(now, "working", died(now, { how: end.how, place }));
  const { outcome } = end;
  switch (outcome.kind) {
    case "interrupted":
    case "budget":
      run.put(now); // what it has used counts
      return { paused: outcome.kind };
    case "failed":
      return failed({ ...now, incidents: outcome.incidents }, outcome.why, outcome.reason);
    case "tested":
      return tested(now, outcome, run);
  }
}

/** A place at which it died is not tried again; what had come home from there stays. */
function died({ deaths, left = [] }: UnitRecord, { how, place }: { how: string; place: string | undefined }): Partial<UnitRecord> {
  return { ended: how, deaths: deaths + 1, ...(place !== undefined && { left: [...left, place] }) };
}

async function tested(record: UnitRecord, outcome: Extract<UnitOutcome, { kind: "tested" }>, run: UnitRun): Promise<UnitRecord> {
  const { title, summary, tests, passed, output, hooks } = outcome;
  const told = { ...record, title, summary, tests };
  if (!passed)
    return failed(told, "tests", `${run.unit.test}: ${tests}${redBeforeText(testBefore(run.store, record.id))}\n${output}`.trim());
  const { commit_hooks: own } = run.store.batch;
  if (hooks === undefined || own === undefined) return commit(told, run);
  const said = hooksText(own, hooks);
  if (hooks.kind === "refused") return failed(told, "commit", `${said}: ${hooks.output}`);
  return commit({ ...told, hooks: said, ...(hooks.kind === "passed" && { message: hooks.message }) }, run);
}

type Used = Pick<UnitRecord, "turns" | "tokens" | "cost_usd" | "elapsed_ms">;

async function agentProcess(record: UnitRecord, run: UnitRun): Promise<{ end: UnitEnd; used: Used; place: string | undefined }> {
  const { store, unit, clock } = run;
  const { place, free } = await run.takePlace(record.left ?? []);
  if (place !== record.place) run.put({ ...record, place });
  const { batch } = store;
  const startedMs = clock.monotonicMs();
  let used: Used = { turns: record.turns, tokens: record.tokens, cost_usd: record.cost_usd, elapsed_ms: record.elapsed_ms };
  const needed = store.plan.units.filter(({ id }) => unit.needs.includes(id)).map(({ title }) => title);
  const order = {
    version: 1 as const,
    unit,
    needed,
    session: record.session,
    place,
    failed: record.retry,
    folder: record.folder,
    grantsTest: batch.grants_tests,
    budgetUsd: batch.budget_usd,
    firstCallUsd: run.firstCallUsd(),
    hooks: batch.commit_hooks,
    root: batch.root,
    startedIn: batch.started_in ?? batch.root,
    testsBefore: run.testsFirst(unit.id),
    apart: run.apart,
    sandboxFound: run.sandboxFound,
    flags: batch.flags,
  };
  const process = run.startUnit(order, {
    signal: run.signal,
    line(said) {
      const line = said.type === "waiting" ? { ...waitingLine(place, said.words), ...used } : said;
      const { turns, tokens, cost_usd } = line;
      used = { turns, tokens, cost_usd, elapsed_ms: record.elapsed_ms + Math.round(clock.monotonicMs() - startedMs) };
      const now = store.unit(unit.id);
      if (line.type === "hands") run.put({ ...now, hands: { ...line.hands, restarts: now.left?.length ?? 0 } });
      if (line.type === "before") run.put({ ...now, before: line.before });
      if (line.type === "progress" && line.at === "testing" && now.state === "working")
        run.put(moved({ ...now, ...used }, "testing", { retry: undefined }));
      run.onLine(line);
    },
  });
  const stop = run.onSpent((usd) => process.othersSpent(usd));
  try {
    return { end: await process.ended, used, place };
  } finally {
    free();
    stop();
  }
}

const waitingLine = (place: string | undefined, words: string) => ({
  type: "progress" as const,
  at: "working" as const,
  doing: `waits for the place "${place}"`,
  newest: words,
});

/** Commits what the tests have passed with. The repository refuses a commit with a secret. */
async function commit(record: UnitRecord, { repository, store, unit }: UnitRun): Promise<UnitRecord> {
  const from = record.from ?? store.batch.head;
  const staged = await repository.stage(record.folder, from);
  if (!staged.ok) return failed(record, "commit", staged.error.reason);
  if (staged.value.length === 0) return failed(record, "no_change", "The agent changed no file.");
  const made = await repository.commit(record.folder, record.message ?? commitMessage(unit, record));
  if (!made.ok) return failed(record, "commit", made.error.reason);
  const versions: Versions = async (path) => ({
    before: await repository.fileAt(from, path),
    after: await repository.fileAt(made.value, path),
  });
  const changed = await changedTests(unit, staged.value, versions);
  const done = { ...record, files: staged.value, commit: made.value, ...(changed.length > 0 && { changed_tests: changed }) };
  if (!hasLaterPhase(store.plan.units, unit.phase)) return moved(done, "committed");
  const merged = await mergedIntoPhase(done, { repository, store, unit });
  return merged.ok ? moved(done, "committed") : failed(done, "conflict", merged.error.reason);
}

/** Merges the unit into its phase's branch, which the next phase starts at. A unit that conflicts with others of its phase fails alone. */
async function mergedIntoPhase(
  record: UnitRecord,
  { repository, store, unit }: Pick<UnitRun, "repository" | "store" | "unit">,
): Promise<GitAnswer<string>> {
  const branch = phaseBranch(store.batch.id, unit.phase);
  const made = await repository.createBranch(branch, await baseCommit(store, unit, repository));
  if (!made.ok) return made;
  return repository.merge({ branch, from: record.branch, message: `Merge unit ${unit.id}: ${record.title ?? unit.title}` });
}

async function committed(record: UnitRecord, run: UnitRun): Promise<UnitRecord> {
  const { pull_requests: wanted } = run.store.batch;
  if (!wanted) return moved({ ...record, ...(await withoutWorktree(record, run)) }, "done");
  const sent = await run.repository.push(record.branch, wanted.remote);
  return sent.ok ? moved(record, "pushed") : failed(record, "push", sent.error.reason);
}

async function pushed(record: UnitRecord, run: UnitRun): Promise<UnitRecord> {
  const { forge } = run;
  if (!forge) return failed(record, "pull_request", "No forge can be reached now.");
  const head = record.branch;
  const found = await patiently((signal) => forge.findPullRequest(head, signal), run);
  if (!found.ok) return failed(record, "pull_request", found.error.reason);
  if (found.value) return moved(record, "pull_request", { pull_request: { number: found.value.number, url: found.value.url } });
  const base = await baseBranch(run);
  if (!base.ok) return failed(record, "pull_request", base.error.reason);
  const { unit, store } = run;
  const needed = store.plan.units
    .filter(({ id }) => unit.needs.includes(id))
    .map(({ id, title }) => ({ title, url: store.unit(id).pull_request?.url }));
  const body = pullRequestBody(unit, record, { batch: store.batch.id, needed, before: testBefore(store, unit.id) });
  const request = { head, base: base.value, title: record.title ?? unit.title, body };
  const made = await patiently((signal) => forge.openPullRequest(request, signal), run);
  if (made.ok) return moved(record, "pull_request", { pull_request: { number: made.value.number, url: made.value.url } });
  return failed(record, "pull_request", made.error.reason);
}

/** The branch with the merged result of the previous phase, pushed first; used if pull requests are stacked. */
async function baseBranch({ store, unit, repository }: UnitRun): Promise<GitAnswer<string>> {
  const { batch, plan } = store;
  const { base = "", remote = "", stack = false } = batch.pull_requests ?? {};
  for (let before = phaseBefore(plan.units, unit.phase); stack && before !== undefined; before = phaseBefore(plan.units, before)) {
    const branch = phaseBranch(batch.id, before);
    if ((await repository.commitOf(branch)) === undefined) continue;
    const sent = await repository.push(branch, remote);
    return sent.ok ? { ok: true, value: branch } : sent;
  }
  return { ok: true, value: base };
}

async function opened(record: UnitRecord, run: UnitRun): Promise<UnitRecord> {
  return moved({ ...record, ...(await withoutWorktree(record, run)) }, "done");
}

/** Removes the worktree if everything in it is saved elsewhere; otherwise records why it stays. */
async function withoutWorktree({ folder, branch }: UnitRecord, { repository, store }: UnitRun): Promise<{ kept?: string }> {
  const { pull_requests: wanted } = store.batch;
  const removed = await repository.removeWorktree(folder, wanted ? `${wanted.remote}/${branch}` : branch);
  return removed.ok ? {} : { kept: removed.error.reason };
}
