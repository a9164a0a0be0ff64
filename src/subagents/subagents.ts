// The agents of one session: which run, which queue, which have ended, and which reports are still to be delivered.

import type { AgentEvent } from "../agent/events.ts";
import type { Clock } from "../agent/ports/clock.ts";
import type { Session } from "../agent/session/session.ts";
import type { Suspension } from "../agent/session/suspension.ts";
import { noUsage } from "../agent/usage.ts";
import type { OutputStore } from "../tools/output.ts";
import type { Definition } from "./definitions/definition.ts";
import { type Deliveries, deliveries } from "./deliveries.ts";
import type { Isolated } from "./isolated.ts";
import type { AgentWorktrees, WorktreePlaces } from "./isolation.ts";
import { createLauncher } from "./launcher.ts";
import { Halt } from "./outcome.ts";
import { interruptedReason } from "./reconcile.ts";
import { type AgentRecord, type Decision, isUndecided, isUnderWay, moved } from "./record.ts";
import type { RecordFile } from "./record-file.ts";
import type { SubagentLimits } from "./run-limits.ts";
import type { Worker } from "./workers/worker-order.ts";
import { overlapWith } from "./workers/worker-rules.ts";

export type OpenWay = {
  host: Subagents;
  /** Stops the run before a call that needs permission. */
  suspend: (why: Suspension) => void;
  /** The agent waits for the person, with this question, until the returned function is called. */
  asks: (subject: string) => () => void;
};

export type Opened = { session: Session; close(): Promise<void> };

/** Provided by `app/`. */
export type SubagentPorts = {
  records: RecordFile;
  limits: SubagentLimits;
  clock: Clock;
  newId(): string;
  /** The path of an agent's transcript. */
  transcriptPath(id: string): string;
  /** Opens the agent's session, or reopens it. */
  open(record: AgentRecord, way: OpenWay): Promise<Opened>;
  worktrees: AgentWorktrees & WorktreePlaces;
  /** The session's working directory. */
  cwd: string;
  /** The command that starts this program, for messages. */
  command: string;
  /** The folder for long reports. */
  outputs: OutputStore | undefined;
  /** Called with every event of every agent and the agent's current record. */
  onEvent(record: AgentRecord, event: AgentEvent): void;
  /** Called when the session has something new: a report, or a state to show. */
  onChange(record: AgentRecord): void;
};

export type StartOrder = {
  definition: Definition;
  name?: string;
  description: string;
  prompt: string;
  model: string;
  background: boolean;
  call: string;
  /** Absent: the session itself is the parent. */
  parent?: AgentRecord;
  worker?: Worker;
  /** Instead of what its definition says. */
  isolation?: Isolated | undefined;
};

/** The result of a start, or of a run in the foreground. */
export type StartResult =
  | { kind: "refused"; reason: string }
  /** `sent`: the person sent it to the background while it ran. */
  | { kind: "background"; record: AgentRecord; sent?: true }
  | { kind: "ended"; record: AgentRecord };

export type Subagents = {
  /** Resolves when the agent has ended or is in the background. */
  start(order: StartOrder, signal: AbortSignal): Promise<StartResult>;
  /** Continues an agent that has ended or waits; resolves as `start` does. A completed agent is told to try its failed commands again. */
  resume(id: string, way: { maxTurns?: number; background: boolean }, signal: AbortSignal): Promise<StartResult>;
  /** The current records, oldest first. */
  list(): AgentRecord[];
  /** Those of agents that have run in this process. */
  ran(): AgentRecord[];
  /** Finds a record by id or name; if several have the name, the newest. */
  find(idOrName: string): AgentRecord | undefined;
  stop(id: string, reason: string): void;
  /** Saves what the person decided about a failure. */
  decide(id: string, decision: Decision): void;
  /** Sends the foreground agent to the background; false if there is none. */
  toBackground(): boolean;
  /** The reports for one conversation: the session's own, or an agent's. */
  deliveriesTo(parent: string | undefined): Deliveries;
  /** Whether background agents of that conversation are running. */
  isAtWork(parent: string | undefined): boolean;
  /** Resolves when any agent has ended or the signal aborts. */
  nextEnd(signal: AbortSignal): Promise<void>;
  /** Stops all agents and resolves when they have ended. */
  close(): Promise<void>;
};

export function createSubagents(given: SubagentPorts): Subagents {
  const ports = { ...given, open: inTurn(given.open) };
  const { records, limits } = ports;
  const put = (record: AgentRecord) => {
    records.put(record);
    ports.onChange(record);
  };
  const launcher = createLauncher(ports, { put, host: () => subagents });
  const { live } = launcher;
  const whyOverlapping = (record: AgentRecord) => {
    const found = overlapWith(record, launcher.underWay());
    return found && `${found.file} is a file of the worker ${found.other.name} (${found.other.id}) that is ${found.other.state}. ${apart}`;
  };
  const boxes = new Map<string | undefined, Deliveries>();
  const subagents: Subagents = {
    async start(order, signal) {
      const depth = (order.parent?.depth ?? 0) + 1;
      if (depth > limits.deepest)
        return refused(`agents may be started ${limits.deepest} deep, and this would be ${depth}. Do this piece of work yourself`);
      const record = newRecord(order, { depth, id: freshId(ports), ports });
      const overlap = whyOverlapping(record);
      if (overlap !== undefined) return refused(overlap);
      const place = launcher.placeFor(record);
      if (place === "none") return refused(`${limits.atOnce} agents run already. Do this piece of work yourself, or start it later`);
      if (place === "wait") put(record); // a launch without a wait saves the record itself
      return launcher.launch(record, { place, signal });
    },
    async resume(id, { maxTurns, background }, signal) {
      const record = records.find(id);
      const why = whyNotResumed(record, { id, maxTurns, isLive: live.has(id) }) ?? (record && whyOverlapping(record));
      if (!record || why !== undefined) return refused(why ?? "", "resume");
      const again = {
        ...record,
        maxTurns: maxTurns ?? record.maxTurns,
        background,
        run: record.run + 1,
        report: undefined,
        delivered: false,
        decision: undefined,
        denials: record.reason === interruptedReason ? record.denials : undefined, // a run that was cut off goes on
        resumedAt: ports.clock.now().toISOString(),
      };
      const known = record.state === "needs_permission" && record.delivered ? record.reason : undefined;
      return launcher.launch({ ...again, endedAt: undefined }, { place: "wait", signal, known });
    },
    list: () => records.all(),
    ran: () => records.all().filter(({ id }) => launcher.launched.has(id)),
    find: (wanted) => records.find(wanted) ?? records.all().findLast(({ name }) => name === wanted),
    stop(id, reason) {
      const entry = live.get(id);
      if (entry) return entry.controller.abort(new Halt("stopped", reason));
      const record = records.find(id);
      if (record?.state === "needs_permission") put(moved(record, "stopped", { reason }));
    },
    decide(id, decision) {
      const record = records.find(id);
      if (record) put({ ...record, decision });
    },
    toBackground() {
      const entry = [...live.values()].findLast(({ sendToBackground }) => sendToBackground);
      entry?.sendToBackground?.();
      return entry !== undefined;
    },
    deliveriesTo(parent) {
      const one = boxes.get(parent) ?? deliveries(records, parent, put);
      boxes.set(parent, one);
      return one;
    },
    isAtWork: (parent) => records.all().some((record) => live.has(record.id) && record.background && record.parent === parent),
    nextEnd: launcher.nextEnd,
    async close() {
      const all = [...live.values()];
      for (const { controller } of all) controller.abort(new Halt("failed", interruptedReason));
      await Promise.allSettled(all.map(({ done }) => done));
    },
  };
  return subagents;
}

/** Many agents that start at once are opened one after another, so that the first one asks its model while the others are still being opened. */
function inTurn(open: SubagentPorts["open"]): SubagentPorts["open"] {
  let last: Promise<unknown> = Promise.resolve();
  return (record, way) => {
    const opened = last.then(() => open(record, way));
    last = opened.then(letOthersRun, letOthersRun);
    return opened;
  };
}

const letOthersRun = () => new Promise<void>((resolve) => void setImmediate(resolve));

const apart = "Two workers that run at once change different files: leave it to one of them, or start this one in a later phase";

const refused = (why: string, what = "start"): StartResult => ({ kind: "refused", reason: `Cannot ${what} this agent: ${why}.` });

function whyNotResumed(
  record: AgentRecord | undefined,
  { id, maxTurns, isLive }: { id: string; maxTurns: number | undefined; isLive: boolean },
): string | undefined {
  if (!record) return `this session has no agent "${id}"`;
  if (isLive || isUnderWay(record)) return `${id} is running`;
  if (record.state === "completed" && !isUndecided(record)) return `${id} has completed its work`;
  if (maxTurns !== undefined && maxTurns <= record.turns)
    return `${id} has taken ${record.turns} turns, so its limit must be higher than that`;
  return undefined;
}

function freshId({ newId, records }: SubagentPorts): string {
  for (;;) {
    const id = newId();
    if (!records.find(id)) return id;
  }
}

/** For an agent that its model gave no name: what it is, and a number, such as `explore-2`. */
function freshName(type: string, records: readonly AgentRecord[]): string {
  const taken = new Set(records.map(({ name }) => name));
  for (let number = 1; ; number++) {
    const name = `${type}-${number}`;
    if (!taken.has(name)) return name;
  }
}

function newRecord(order: StartOrder, { depth, id, ports }: { depth: number; id: string; ports: SubagentPorts }): AgentRecord {
  const { definition, name, description, prompt, model, background, call, parent, worker, isolation = definition.isolation } = order;
  const {
    name: type,
    prompt: instructions,
    tools,
    disallowedTools,
    mcpServers,
    permissionMode,
    maxTurns,
    context,
    skills,
    effort,
  } = definition;
  return {
    id,
    name: name ?? freshName(type, ports.records.all()),
    description,
    prompt,
    definition: {
      name: type,
      prompt: instructions,
      tools,
      disallowedTools,
      ...(mcpServers && { mcpServers }),
      permissionMode,
      skills,
      effort,
    },
    model,
    maxTurns,
    context,
    ...(isolation && { isolation }),
    depth,
    parent: parent?.id,
    call,
    background: background || definition.background,
    ...(worker && { worker }),
    state: "pending",
    run: 1,
    delivered: false,
    turns: 0,
    usage: noUsage,
    costUsd: 0,
    startedAt: ports.clock.now().toISOString(),
    transcript: ports.transcriptPath(id),
  };
}
