// The background commands of one session: which run, what each prints, how each ended, and which ends the agents have not been told yet.

import type { Reports } from "../agent/session/session.ts";
import type { Background } from "../tools/background.ts";
import type { OutputStore } from "../tools/output.ts";
import type { ShellEnd } from "../tools/shell.ts";
import { errorText } from "../wording/error-text.ts";
import { type CommandRecord, sessionEnded } from "./command.ts";
import type { CommandRecords } from "./command-file.ts";
import { type CommandOutput, commandOutput } from "./command-output.ts";
import { commandEnds } from "./ends.ts";

export type CommandPorts = {
  /** Absent: the records exist only in memory. */
  records?: CommandRecords | undefined;
  now(): Date;
  monotonicMs(): number;
};

/** The agent that owns the commands, with its output folder and its redaction. */
export type CommandOwner = { agent: string; outputs: OutputStore | undefined; redacted(text: string): string };

/** The commands of a whole session. */
export type Commands = {
  /** Oldest first. */
  list(): readonly CommandRecord[];
  find(id: string): CommandRecord | undefined;
  /** The last line that it printed, redacted; empty if unknown. */
  lastLine(id: string): string;
  /** Ends the command. The agent is told in its next turn. */
  stop(id: string): void;
  forAgent(owner: CommandOwner): AgentCommands;
  /** Calls the listener when a command has begun or ended. */
  listen(listener: () => void): void;
};

/** The commands of one agent. */
export type AgentCommands = Background & {
  list(): CommandRecord[];
  /** The redacted output since `seen` was called; undefined if the agent has no such command. */
  read(id: string): { record: CommandRecord; text: string; seen(): void } | undefined;
  /** Ends the command and all its descendants. Resolves with the final record. */
  kill(id: string): Promise<CommandRecord | undefined>;
  /** Sends the foreground command to the background; false if there is none. */
  toBackground(): boolean;
  /** The ends that the agent has not been told yet. */
  ends: Reports;
  /** Ends all commands. */
  close(): Promise<void>;
};

/** The most commands that may run at once in one session. */
const mostAtOnce = 16;
/** The most ended commands whose output is kept. */
const mostEnded = 50;

type Entry = { output: CommandOutput; owner: CommandOwner; controller?: AbortController; done: Promise<void>; stoppedBy?: Stop };
type Stop = { reason: string; told: boolean };

export function createCommands(ports: CommandPorts): Commands {
  const shared = sharedCommands(ports);
  const { entries, list, find, stop } = shared;
  return {
    list,
    find,
    lastLine(id) {
      const entry = entries.get(id);
      return entry ? entry.owner.redacted(entry.output.lastLine()) : "";
    },
    stop: (id) => void stop(id, { reason: "the person stopped it", told: false }),
    listen: (listener) => void shared.listeners.push(listener),
    forAgent: (owner) => agentCommands(owner, shared),
  };
}

/** The state that the agents' views of the commands share. */
type SharedCommands = ReturnType<typeof sharedCommands>;

function sharedCommands(ports: CommandPorts) {
  const { records } = ports;
  let all: readonly CommandRecord[] = records?.earlier ?? [];
  const entries = new Map<string, Entry>();
  const listeners: (() => void)[] = [];
  const put = (record: CommandRecord) => {
    const at = all.findIndex(({ id }) => id === record.id);
    all = at < 0 ? [...all, record] : all.with(at, record);
    records?.keep(all);
    for (const listener of listeners) listener();
  };
  const find = (id: string) => all.find((record) => record.id === id);
  return {
    ports,
    entries,
    listeners,
    put,
    find,
    list: () => all,
    running: () => all.filter(({ state }) => state === "running"),
    freshId: () => `bash-${1 + Math.max(0, ...all.map(({ id }) => Number(id.slice("bash-".length))))}`,
    ended(id: string, outcome: Pick<CommandRecord, "state" | "code" | "reason">) {
      const entry = entries.get(id);
      const record = find(id);
      if (!entry || !record) return;
      entry.output.end();
      const stopped = outcome.state === "stopped" ? entry.stoppedBy : undefined;
      put({ ...record, ...outcome, ...stopped, endedAt: ports.now().toISOString() });
      const over = [...entries.keys()].filter((key) => find(key)?.state !== "running");
      for (const key of over.slice(0, -mostEnded)) entries.delete(key);
    },
    stop(id: string, by: Stop): Promise<void> {
      const entry = entries.get(id);
      if (!entry) return Promise.resolve();
      entry.stoppedBy ??= by;
      entry.controller?.abort();
      return entry.done;
    },
  };
}

function agentCommands(owner: CommandOwner, shared: SharedCommands): AgentCommands {
  const { entries, put, stop, list, find } = shared;
  const offers: (() => boolean)[] = [];
  const mine = () => list().filter(({ agent }) => agent === owner.agent);
  return {
    begin: (command, startedAt = shared.ports.now()) => beginCommand({ command, startedAt }, owner, shared),
    offer(send) {
      const offeredAt = shared.ports.now();
      const offer = () => send(offeredAt);
      offers.push(offer);
      return () => void offers.splice(offers.indexOf(offer), 1);
    },
    toBackground: () => offers.at(-1)?.() ?? false,
    list: mine,
    read(id) {
      const record = mine().find((one) => one.id === id);
      if (!record) return undefined;
      const output = entries.get(id)?.output;
      output?.flush();
      const isRunning = record.state === "running";
      return { record, text: owner.redacted(output?.unread(isRunning) ?? ""), seen: () => output?.seen(isRunning) };
    },
    async kill(id) {
      if (!mine().some((record) => record.id === id)) return undefined;
      await stop(id, { reason: "KillBash", told: true });
      return find(id);
    },
    ends: commandEnds(mine, put),
    async close() {
      const atWork = mine().filter(({ state }) => state === "running");
      await Promise.all(atWork.map(({ id }) => stop(id, { reason: sessionEnded, told: false })));
    },
  };
}

type Begun = { command: string; startedAt: Date };

function beginCommand({ command, startedAt }: Begun, owner: CommandOwner, shared: SharedCommands): ReturnType<AgentCommands["begin"]> {
  const { ports, entries, put, ended } = shared;
  const atWork = shared.running();
  if (atWork.length >= mostAtOnce) return { refused: tooMany(atWork) };
  const id = shared.freshId();
  const output = commandOutput(owner.outputs, ports.monotonicMs);
  const entry: Entry = { output, owner, done: Promise.resolve() };
  entries.set(id, entry);
  put({
    id,
    agent: owner.agent,
    command: owner.redacted(command),
    state: "running",
    startedAt: startedAt.toISOString(),
    ...(output.path !== undefined && { output: output.path }),
    told: false,
  });
  return {
    id,
    path: output.path,
    earlier: output.earlier,
    add: output.add,
    follow(run, controller) {
      entry.controller = controller;
      entry.done = run.then(
        ({ end }) => ended(id, outcomeOf(end)),
        (error: unknown) => ended(id, { state: "failed", reason: errorText(error) }),
      );
      if (entry.stoppedBy) controller.abort();
    },
  };
}

function outcomeOf(end: ShellEnd): Pick<CommandRecord, "state" | "code" | "reason"> {
  switch (end.kind) {
    case "exited":
      return { state: "completed", code: end.code };
    case "killed":
      return { state: "failed", reason: `ended by ${end.signal}` };
    case "timed_out":
      return { state: "failed", reason: "it ran longer than its timeout_ms" };
    case "aborted":
      return { state: "stopped" };
    case "failed":
      return { state: "failed", reason: end.reason };
  }
}

function tooMany(atWork: readonly CommandRecord[]): string {
  const ids = atWork.map(({ id }) => id).join(", ");
  return `Cannot start it in the background: ${atWork.length} commands run there already (${ids}). End one with KillBash first.`;
}
