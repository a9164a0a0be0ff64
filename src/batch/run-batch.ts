// Runs the units of an approved batch, phase by phase, several at once. A unit that fails does not affect the others.
import { type FailuresDisk, openFailures } from "../agent/result/failures.ts";
import type { GitError, Repository } from "./repository.ts";
import { type BatchPorts, runUnit } from "./run-unit.ts";
import { nextUnits } from "./schedule.ts";
import { firstTesters } from "./test-before.ts";
import type { UnitLine } from "./unit-agent.ts";
import { unitPlaces } from "./unit-places.ts";
import { moved, type UnitRecord } from "./unit-record.ts";

export type BatchRun = BatchPorts & {
  disk: FailuresDisk;
  /** The assumed cost of a first request until a unit has made one. */
  estimatedFirstCallUsd: number;
  /** How many units work on this machine at most, once they have no place left. */
  atOnceHere: number;
  signal: AbortSignal;
  /** Called after a unit's new state is on disk. */
  onMoved(record: UnitRecord): void;
  /** Called with what a unit's agent is doing. */
  onLine(unit: string, line: UnitLine): void;
};

/** `budget`: what is left of it is too little to continue. */
export type BatchEnd = "finished" | "interrupted" | "budget";

export async function runBatch(run: BatchRun): Promise<BatchEnd> {
  const { store } = run;
  const running = new Map<string, Promise<void>>();
  const spending = spendings(run);
  const stop = new AbortController();
  const signal = AbortSignal.any([run.signal, stop.signal]);
  const testsFirst = firstTesters(store);
  const places = unitPlaces({ places: store.batch.places ?? [], atOnceHere: run.atOnceHere, signal });
  const repository = pushingOnce({ ...run, signal });
  let ended: BatchEnd = "finished";
  let fault: unknown;
  const put = (record: UnitRecord) => {
    const before = store.unit(record.id).state;
    store.put(record);
    if (record.state !== before) run.onMoved(record);
    if (record.state === "failed" || record.state === "skipped") recordFailures(run);
  };
  recordFailures(run); // completes lines that a kill prevented
  while (!signal.aborted && ended === "finished") {
    const units = store.plan.units.map((unit) => ({ unit, record: store.unit(unit.id) }));
    const { start, skip } = nextUnits(units, { running: new Set(running.keys()), room: store.batch.concurrency - running.size });
    for (const { record, missing } of skip) put(moved(record, "skipped", { missing }));
    for (const { unit } of start) {
      const { told, ...spent } = spending.of(unit.id);
      const onLine = (line: UnitLine) => {
        if (line.type === "hands") places.learn(line.hands);
        told(line);
        run.onLine(unit.id, line);
      };
      const one = runUnit({ ...run, repository, unit, signal, put, onLine, testsFirst, takePlace: places.take, ...spent })
        .then((how) => {
          if (how !== "settled") ended = how === "budget" || ended === "budget" ? "budget" : how;
        })
        .catch((error: unknown) => {
          fault ??= error;
          stop.abort(); // for instance because the disk refuses the records: running units stop where they can continue later
        })
        .finally(() => running.delete(unit.id));
      running.set(unit.id, one);
    }
    if (running.size > 0) await Promise.race(running.values());
    else if (skip.length === 0) break;
  }
  await Promise.all(running.values());
  if (fault !== undefined) throw fault;
  return run.signal.aborted ? "interrupted" : ended;
}

/** All units of a later phase need the phase's branch at the remote, and two concurrent pushes of a new branch would conflict. */
function pushingOnce({ repository, clock, signal }: Pick<BatchRun, "repository" | "clock" | "signal">): Repository {
  const pushes = new Map<string, ReturnType<Repository["push"]>>();
  const push: Repository["push"] = async (branch, remote) => {
    for (let attempt = 1; ; attempt++) {
      const answer = await repository.push(branch, remote, signal);
      if (answer.ok || !isPassing(answer.error) || attempt === pushAttempts || signal.aborted) return answer;
      await clock.sleep(pushWaitMs, signal);
    }
  };
  return {
    ...repository,
    async push(branch, remote) {
      const under = pushes.get(branch) ?? push(branch, remote);
      pushes.set(branch, under);
      const answer = await under;
      if (!answer.ok) pushes.delete(branch);
      return answer;
    },
  };
}

const pushAttempts = 4;
const pushWaitMs = 1_000;

/** A lost connection, or a push of a killed process that is still in progress at the remote. */
const isPassing = ({ kind, reason }: GitError) => kind === "network" || (kind !== "auth" && /cannot lock ref/.test(reason));

/**
 * Counts the whole batch's spending against the budget for each unit's agent, so that the agent stops before the request that would exceed it. A
 * request in progress is assumed to cost as much as the agent's previous one; a first request, as much as the most expensive first request so far.
 * Only agents that started earlier are reserved for, so of several that start at once, as many continue as the budget allows.
 */
function spendings({ store, estimatedFirstCallUsd }: BatchRun) {
  const spent = new Map(store.units().map(({ id, cost_usd }) => [id, cost_usd ?? 0]));
  const underWay = new Map<string, number>();
  const beginning = new Map<string, number>();
  const tells = new Map<string, (usd: number) => void>();
  let dearestUsd: number | undefined;
  const firstCallUsd = () => dearestUsd ?? estimatedFirstCallUsd;
  const beganBefore = (id: string) => {
    const began = [...beginning];
    const at = began.findIndex(([other]) => other === id);
    return at < 0 ? began : began.slice(0, at);
  };
  const others = (id: string) =>
    [...spent, ...underWay, ...beganBefore(id)].reduce(
      (sum, [other, usd]) => (other === id ? sum : sum + usd),
      store.batch.planning_usd ?? 0,
    );
  return {
    of: (id: string) => ({
      firstCallUsd,
      told({ cost_usd, type }: UnitLine) {
        const now = cost_usd ?? 0;
        const before = spent.get(id) ?? 0;
        const grown = now - before;
        if (grown === 0 && type !== "outcome") return;
        beginning.delete(id);
        if (type === "outcome") underWay.delete(id);
        else underWay.set(id, grown);
        if (before === 0 && type === "progress") dearestUsd = Math.max(dearestUsd ?? 0, grown);
        spent.set(id, now);
        for (const [other, tell] of tells) if (other !== id) tell(others(other));
      },
      onSpent(tell: (othersUsd: number) => void) {
        tells.set(id, tell);
        beginning.set(id, firstCallUsd());
        tell(others(id));
        return () => [tells, beginning, underWay].forEach((each) => void each.delete(id));
      },
    }),
  };
}

/** Adds missing failure lines: a kill may have come after a unit's record was written and before its line was. */
function recordFailures({ disk, store, clock }: BatchRun): void {
  const { failures } = store.layout;
  const written = disk.read(failures)?.toString("utf8") ?? "";
  const list = openFailures(disk, failures);
  const linesOf = (id: string) => written.split(JSON.stringify({ item: id }).slice(1, -1)).length - 1;
  for (const record of store.units()) {
    const error = failureText(record);
    if (error === undefined || linesOf(record.id) > (record.retries ?? 0)) continue;
    list.record({ at: clock.now().toISOString(), agent: record.branch, item: record.id, error });
  }
}

/** Why a unit has no result; undefined if it has one or can still get one. */
export function failureText({ state, error, missing = [] }: UnitRecord): string | undefined {
  if (state === "failed") return error ? `${error.kind}: ${error.reason}` : "failed";
  return state === "skipped" ? `skipped: it needs ${missing.join(", ")}, which failed` : undefined;
}
