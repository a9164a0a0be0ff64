// Starts the runs of agents and keeps track of those in progress.
import { noUsage } from "../agent/usage.ts";
import { Halt } from "./outcome.ts";
import { createPlaces } from "./places.ts";
import { type AgentRecord, moved } from "./record.ts";
import { endEvent, runAgent } from "./run-agent.ts";
import type { StartResult, SubagentPorts, Subagents } from "./subagents.ts";
import { unmet, waitsFor } from "./workers/worker-rules.ts";

export type Live = {
  controller: AbortController;
  done: Promise<AgentRecord>;
  /** Present while the caller waits for the agent. */
  sendToBackground?: () => void;
};

/** `wait`: it queues for a place. `taken`: it takes a free place. `parents`: its parent waits for it, so it uses the parent's place. */
export type PlaceChoice = "wait" | "taken" | "parents";

/** `known`: the reason for which it has waited so far, and which its parent has read. */
export type Launch = { place: PlaceChoice; signal: AbortSignal; known?: string | undefined };

export type Launcher = {
  live: ReadonlyMap<string, Live>;
  /** The ids of all agents that were launched here, in this process. */
  launched: ReadonlySet<string>;
  /** The records of agents that have not ended. */
  underWay(): AgentRecord[];
  /**
   * Where an agent may run. An agent started by another agent never queues, because its parent may hold the place that it would wait for. A worker
   * may queue behind its siblings: they leave their places when they end.
   */
  placeFor(record: AgentRecord): PlaceChoice | "none";
  /** Resolves when the agent has ended or is in the background. */
  launch(record: AgentRecord, launch: Launch): Promise<StartResult>;
  nextEnd(signal: AbortSignal): Promise<void>;
};

export function createLauncher(
  ports: SubagentPorts,
  { put, host }: { put: (record: AgentRecord) => void; host: () => Subagents },
): Launcher {
  const { records, clock } = ports;
  const live = new Map<string, Live>();
  const launched = new Set<string>();
  const places = createPlaces(ports.limits.atOnce);

  /** A run does not know that it was sent to the background, so the flag is added here. */
  const keep = (record: AgentRecord) => {
    const now = { ...record, background: records.find(record.id)?.background ?? record.background };
    put(now);
    return now;
  };

  const underWay = () => records.all().filter(({ id }) => live.has(id));

  const queue = createQueue(underWay, places);

  const run = async (record: AgentRecord, { place }: Launch, entry: Live): Promise<AgentRecord> => {
    const { controller } = entry;
    const has = place === "wait" ? await queue.placeOf(record, controller.signal) : place === "taken";
    try {
      if (controller.signal.aborted) return stoppedBefore(record, controller.signal, clock.now().toISOString());
      const missing = unmet(record, records.all());
      if (missing.length > 0) return notBegun(record, missing, ports);
      const running = moved(record, "running", { reason: undefined, endedBy: undefined, missing: undefined });
      put(running);
      return await runAgent(running, { ...ports, host: host(), controller, put: keep });
    } finally {
      if (has) places.leave();
    }
  };

  const ended = (record: AgentRecord, { controller }: Live, { known }: Launch): AgentRecord => {
    live.delete(record.id);
    // If the agent above was stopped, nobody waits for this report; if the agent waits as before, the report says nothing new.
    const isNews = controller.signal.reason !== endsToo && !(record.state === "needs_permission" && record.reason === known);
    const last = keep(isNews ? record : { ...record, delivered: true });
    const started = underWay().filter(({ parent }) => parent === last.id);
    if (last.state === "stopped") for (const { id } of started) live.get(id)?.controller.abort(endsToo);
    queue.ended();
    return last;
  };

  return {
    live,
    launched,
    underWay,
    placeFor(record) {
      if (waitsFor(record, underWay()).length > 0) return "wait";
      if (record.parent === undefined) return !record.worker && places.takeNow() ? "taken" : "wait";
      if (!record.background) return "parents";
      if (places.takeNow()) return "taken";
      return record.worker && underWay().some(({ worker, parent }) => worker && parent === record.parent) ? "wait" : "none";
    },
    async launch(record, launch) {
      const entry: Live = { controller: new AbortController(), done: Promise.resolve(record) };
      live.set(record.id, entry);
      launched.add(record.id);
      entry.done = run(record, launch, entry).then((last) => ended(last, entry, launch));
      if (record.background) return { kind: "background", record };
      return inForeground(entry, launch.signal, () => {
        const now = { ...(records.find(record.id) ?? record), background: true };
        put(now);
        return now;
      });
    },
    nextEnd: queue.nextEnd,
  };
}

/** The queue for places, and the callers that wait for the next end. */
function createQueue(underWay: () => AgentRecord[], places: ReturnType<typeof createPlaces>) {
  const onEnd = new Set<() => void>();
  const nextEnd = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      const wake = () => {
        onEnd.delete(wake);
        signal.removeEventListener("abort", wake);
        resolve();
      };
      if (signal.aborted) return resolve();
      onEnd.add(wake);
      signal.addEventListener("abort", wake, { once: true });
    });

  /** Resolves true with a place, after the agents that it waits for have ended. */
  const placeOf = async (record: AgentRecord, signal: AbortSignal): Promise<boolean> => {
    if (record.worker) await Promise.resolve(); // let others that resume at the same moment register first
    for (;;) {
      while (!signal.aborted && waitsFor(record, underWay()).length > 0) await nextEnd(signal);
      if (!(await places.take(signal))) return false;
      if (waitsFor(record, underWay()).length === 0) return true;
      places.leave(); // another worker of an earlier phase was started meanwhile
    }
  };
  return {
    placeOf,
    nextEnd,
    ended() {
      for (const wake of onEnd) wake();
    },
  };
}

/** Waits until the agent has ended or is sent to the background; an abort before that ends the agent. */
async function inForeground(entry: Live, signal: AbortSignal, toBackground: () => AgentRecord): Promise<StartResult> {
  const interrupt = () => entry.controller.abort(new Halt("stopped", "It was interrupted with the agent that waited for it."));
  const sent = new Promise<StartResult>((resolve) => {
    entry.sendToBackground = () => resolve({ kind: "background", record: toBackground(), sent: true });
  });
  if (signal.aborted) interrupt();
  signal.addEventListener("abort", interrupt, { once: true });
  const result = await Promise.race([entry.done.then((record): StartResult => ({ kind: "ended", record })), sent]);
  signal.removeEventListener("abort", interrupt);
  delete entry.sendToBackground;
  return result;
}

const endsToo = new Halt("stopped", "It was stopped with the agent that started it.");

/** The result for a worker that cannot begin because components that it needs were not completed. */
function notBegun(record: AgentRecord, missing: string[], { clock, onEvent }: SubagentPorts): AgentRecord {
  const reason = `It was not begun: it needs ${missing.join(", ")}.`;
  const ended: AgentRecord = { ...record, state: "failed", reason, report: reason, endedAt: clock.now().toISOString() };
  onEvent(ended, endEvent(ended, { spent: { turns: 0, usage: noUsage, costUsd: 0 }, ms: 0 }));
  return ended;
}

function stoppedBefore(record: AgentRecord, { reason }: AbortSignal, endedAt: string): AgentRecord {
  const why = reason instanceof Halt ? reason.reason : "It was stopped before it began.";
  return { ...record, state: "stopped", reason: why, report: why, endedAt };
}
