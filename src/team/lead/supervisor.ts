// The lead's hold on its teammates' processes: starting, watching, restarting, stopping. It decides nothing about the work itself;
// what an end means is in verdict.ts, what becomes of record and tasks in ended-members.ts.
import type { Clock } from "../../agent/clock.ts";
import { type Display, type DisplayHandle, isDisplayError } from "../display.ts";
import type { MemberExit, MemberStatus } from "../status.ts";
import { type Verdict, verdict } from "./verdict.ts";

/** What the supervisor needs of the team's files. */
export interface MemberFiles {
  /** Writes launch.json for a fresh start of `name` and removes what a former process left. */
  prepare(name: string, nonce: string): Promise<{ ok: true; path: string } | Failed>;
  /** Removes a launch file that nobody read. */
  discard(name: string): void;
  status(name: string): MemberStatus | undefined;
  exit(name: string): MemberExit | undefined;
  recordPlace(name: string, handle: DisplayHandle): Promise<{ ok: true } | Failed>;
  /** False when it cannot be asked. */
  requestStop(name: string): boolean;
}

type Failed = { ok: false; reason: string };

/** What the supervisor needs of the process table. */
export interface Processes {
  isAlive(process: { pid: number; start: string }): boolean;
  /** To the whole group of a process that is still the one it was. */
  signalGroup(process: { pid: number; start: string }, signal: "SIGTERM" | "SIGKILL"): void;
  /** Ends everything that carries this owner's marker. */
  sweep(owner: string): Promise<void>;
}

export type SupervisorEvent =
  | { kind: "started"; name: string }
  | { kind: "restarted"; name: string; how: string }
  | { kind: "ended"; name: string; how: string }
  | { kind: "gone"; name: string; how: string };

export type SupervisorSetup = {
  display: Display;
  /** The marker that a member and everything it starts carry in their environment. */
  ownerOf: (name: string) => string;
  files: MemberFiles;
  processes: Processes;
  clock: Clock;
  nonce: () => string;
  launcher: (launchPath: string) => string[];
  cwd: string;
  /** Called once for each event, before anything else happens to that member. */
  onEvent: (event: SupervisorEvent) => Promise<void>;
};

export interface Supervisor {
  /** Starts a teammate that the record knows. Resolves once it runs; the reason says what the check saw otherwise. */
  start(name: string): Promise<{ ok: true } | Failed>;
  /** Asks it to end; then SIGTERM to its group, then SIGKILL; then closes its place. */
  stop(name: string): Promise<void>;
  stopAll(): Promise<void>;
  /** Looks once at every process; to be called every half second and at each change. */
  look(): Promise<void>;
  /** Names of those that live or are being started. */
  running(): string[];
}

type Running = {
  handle: DisplayHandle;
  nonce: string;
  process: { pid: number; start: string };
  stopRequested: boolean;
};

const readyMs = 10_000;
const politeMs = 10_000;
const termMs = 5_000;

export function createSupervisor(setup: SupervisorSetup): Supervisor {
  const { display, files, processes, clock } = setup;
  const running = new Map<string, Running>();
  const starting = new Set<string>();
  const restarts = new Map<string, number[]>();
  let looking: Promise<void> | undefined;

  async function launch(name: string): Promise<{ ok: true } | Failed> {
    const nonce = setup.nonce();
    starting.add(name);
    try {
      const prepared = await files.prepare(name, nonce);
      if (!prepared.ok) return prepared;
      const handle = await display.open({
        name,
        argv: setup.launcher(prepared.path),
        cwd: setup.cwd,
        env: { TOOL_OWNER: setup.ownerOf(name) },
      });
      const recorded = await record(name, handle);
      if (!recorded.ok) return recorded;
      const status = await ready({ name, nonce, handle });
      if (!status) return { ok: false, reason: await failedStart(name, handle) };
      running.set(name, { handle, nonce, process: { pid: status.pid, start: status.start }, stopRequested: false });
      return { ok: true };
    } catch (error) {
      if (isDisplayError(error)) return { ok: false, reason: error.message };
      throw error;
    } finally {
      starting.delete(name);
      files.discard(name);
    }
  }

  /** A place that is not on record would never be closed. */
  async function record(name: string, handle: DisplayHandle): Promise<{ ok: true } | Failed> {
    const recorded = await files.recordPlace(name, handle);
    if (!recorded.ok) await unlessRefused(display.close(handle), undefined);
    return recorded;
  }

  /** Its status with our nonce, or undefined when it died or did not answer in time. */
  async function ready({ name, nonce, handle }: { name: string; nonce: string; handle: DisplayHandle }): Promise<MemberStatus | undefined> {
    const deadline = clock.monotonicMs() + readyMs;
    for (let look = 1; clock.monotonicMs() < deadline; look++) {
      const status = files.status(name);
      if (status?.nonce === nonce) return status;
      if (files.exit(name)?.nonce === nonce) return undefined;
      if (look % 20 === 0 && (await display.state(handle)) !== "open") return undefined;
      await clock.sleep(10);
    }
    return undefined;
  }

  async function failedStart(name: string, handle: DisplayHandle): Promise<string> {
    const said = files.exit(name)?.detail;
    const words = (await display.lastWords(handle)).trim();
    await display.close(handle);
    return `${name} did not start: ${said ?? (words ? `its last lines were:\n${words}` : `no sign of life within ${readyMs / 1000} s`)}`;
  }

  async function ended(name: string, member: Running): Promise<void> {
    running.delete(name);
    // What ignores SIGTERM takes seconds to end, and the news of the end must not.
    const swept = processes.sweep(setup.ownerOf(name));
    const decision = verdict({
      exit: exitOf(name, member),
      display: await unlessRefused(display.state(member.handle), "server_gone"),
      stopRequested: member.stopRequested,
      restarts: restarts.get(name) ?? [],
      nowMs: clock.monotonicMs(),
    });
    await unlessRefused(display.close(member.handle), undefined);
    await carryOut(name, decision, swept);
  }

  function exitOf(name: string, member: Running): MemberExit | undefined {
    const exit = files.exit(name);
    return exit?.nonce === member.nonce ? exit : undefined;
  }

  async function carryOut(name: string, decision: Verdict, swept: Promise<void>): Promise<void> {
    if (decision.kind === "restart") {
      restarts.set(name, [...(restarts.get(name) ?? []), clock.monotonicMs()]);
      starting.add(name);
      await setup.onEvent({ kind: "restarted", name, how: decision.how });
      await swept; // two incarnations of one agent never work side by side
      const again = await launch(name);
      if (!again.ok) await carryOut(name, { kind: "gone", how: `${decision.how}, and ${again.reason}` }, swept);
      return;
    }
    await setup.onEvent({ kind: decision.kind, name, how: decision.how });
    await swept;
  }

  async function lookOnce(): Promise<void> {
    const dead = [...running].filter(([, member]) => !processes.isAlive(member.process));
    await Promise.all(dead.map(([name, member]) => ended(name, member)));
  }

  /** One that is just being started again runs afterwards. What went wrong with it is told to whoever looked. */
  async function restarted(): Promise<void> {
    await looking?.catch(() => {});
  }

  async function goneWithin(name: string, ms: number): Promise<boolean> {
    const deadline = clock.monotonicMs() + ms;
    for (;;) {
      await supervisor.look();
      if (!running.has(name)) return true;
      if (clock.monotonicMs() >= deadline) return false;
      await clock.sleep(20);
    }
  }

  const supervisor: Supervisor = {
    async start(name) {
      const result = await launch(name);
      if (result.ok) await setup.onEvent({ kind: "started", name });
      return result;
    },
    async stop(name) {
      await restarted();
      const member = running.get(name);
      if (!member) return;
      member.stopRequested = true;
      if (files.requestStop(name) && (await goneWithin(name, politeMs))) return;
      processes.signalGroup(member.process, "SIGTERM");
      if (await goneWithin(name, termMs)) return;
      processes.signalGroup(member.process, "SIGKILL");
      await goneWithin(name, termMs);
    },
    async stopAll() {
      await restarted();
      const stops = await Promise.allSettled([...running.keys()].map((name) => supervisor.stop(name)));
      for (const stop of stops) if (stop.status === "rejected") throw stop.reason;
    },
    look() {
      looking ??= lookOnce().finally(() => {
        looking = undefined;
      });
      return looking;
    },
    running: () => [...new Set([...running.keys(), ...starting])],
  };
  return supervisor;
}

/** A display that does not answer is as good as lost: that is no reason to lose sight of a member. */
async function unlessRefused<T>(asked: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (isDisplayError(error)) return otherwise;
    throw error;
  }
}
