// Supervises the teammates' processes: starting, watching, restarting, stopping. It decides nothing about the work itself;
// what an end means is in verdict.ts, what becomes of record and tasks in ended-members.ts.
import type { Clock } from "../../agent/ports/clock.ts";
import type { Display, DisplayHandle } from "../display/display.ts";
import { endInSteps } from "../end-process.ts";
import { asWished } from "../end-reasons.ts";
import type { MemberExit, MemberStatus } from "../report/status.ts";
import { createRestarts } from "./restarts.ts";
import { type Failed, memberStarter, type StartedProcess, unlessRefused } from "./start-member.ts";
import { startTurns } from "./start-turns.ts";
import { restartOrGone, type Verdict, verdict } from "./verdict.ts";

/** What the supervisor needs of the team's files. */
export interface MemberFiles {
  /** Writes launch.json for a new start of `name` and removes the files of its former process. */
  prepare(name: string, nonce: string): Promise<{ ok: true; path: string } | Failed>;
  /** Removes a launch file that nobody read. */
  discard(name: string): void;
  status(name: string): MemberStatus | undefined;
  exit(name: string): MemberExit | undefined;
  recordPlace(name: string, handle: DisplayHandle): Promise<{ ok: true } | Failed>;
  /** False when it cannot be asked. */
  requestStop(name: string): boolean;
}

/** What the supervisor needs of the process table. */
export interface Processes {
  isAlive(process: { pid: number; start: string }): boolean;
  /** Signals the whole group of that process, if its pid has not been reused. */
  signalGroup(process: { pid: number; start: string }, signal: "SIGTERM" | "SIGKILL"): void;
  /** Ends everything that carries this owner's marker. */
  sweep(owner: string): Promise<void>;
}

export type SupervisorEvent =
  | { kind: "started"; name: string }
  /** It is started again after this delay. */
  | { kind: "restart"; name: string; how: string; afterMs: number }
  | { kind: "ended"; name: string; how: string }
  | { kind: "gone"; name: string; how: string };

export type SupervisorSetup = {
  display: Display;
  /** The environment marker of a member and of everything it starts. */
  ownerOf: (name: string) => string;
  files: MemberFiles;
  processes: Processes;
  clock: Clock;
  /** How many teammates start at the same time. */
  startsAtOnce: number;
  nonce: () => string;
  launcher: (launchPath: string) => string[];
  cwd: string;
  /** Called once for each event, before anything else happens to that member. */
  onEvent: (event: SupervisorEvent) => Promise<void>;
};

export interface Supervisor {
  /** Starts a teammate that the record knows. Resolves once it runs; the reason says what the check saw otherwise. */
  start(name: string): Promise<{ ok: true } | Failed>;
  /** Watches one that runs already. */
  adopt(name: string, process: StartedProcess): void;
  /** A failed start counts as a crash: it is retried, or the teammate is gone. */
  failed(name: string, start: Failed): Promise<void>;
  /** Asks it to end; then SIGTERM to its group, then SIGKILL; then closes its place. */
  stop(name: string): Promise<void>;
  stopAll(): Promise<void>;
  /** Checks every process once, and makes the restarts that are due; to be called every half second and at each change. */
  poll(): Promise<void>;
  /** Names of those that live, are being started, or wait for that. */
  running(): string[];
  /** Whether it has a process. One that is being started, or waits for that, has none, whatever its status file says of the one before. */
  lives(name: string): boolean;
}

type Running = StartedProcess & { stopRequested: boolean };

export function createSupervisor(setup: SupervisorSetup): Supervisor {
  const { files, processes, clock } = setup;
  const start = memberStarter(setup);
  const inTurn = startTurns({ atOnce: setup.startsAtOnce, clock });
  const running = new Map<string, Running>();
  const starting = new Set<string>();
  const restarts = createRestarts(clock);
  const looks = shared(lookOnce);

  async function launch(name: string): Promise<{ ok: true } | Failed> {
    starting.add(name);
    const started = await inTurn(() => start(name)).finally(() => starting.delete(name));
    if (!started.ok) return started;
    running.set(name, { ...started.process, stopRequested: false });
    return { ok: true };
  }

  async function ended(name: string, member: Running): Promise<void> {
    running.delete(name);
    // Processes that ignore SIGTERM take seconds to end; the event must not wait for them.
    const swept = processes.sweep(setup.ownerOf(name));
    await carryOut(name, await verdictOn(member, setup, { name, restarts: restarts.made(name) }), swept);
  }

  async function carryOut(name: string, decision: Verdict, swept: Promise<void>): Promise<void> {
    if (decision.kind === "restart") restarts.plan(name, { afterMs: decision.afterMs, swept });
    await setup.onEvent({ name, ...decision });
    if (decision.kind !== "restart") await swept;
  }

  async function startAgain(name: string, swept: Promise<void>): Promise<void> {
    starting.add(name);
    await swept; // two incarnations of one agent never work side by side
    const again = await launch(name);
    if (!again.ok) await failed(name, again);
  }

  async function failed(name: string, { reason, cause }: Failed): Promise<void> {
    const decision = restartOrGone({ how: reason, cause, restarts: restarts.made(name), nowMs: clock.monotonicMs() });
    await carryOut(name, decision, Promise.resolve());
  }

  async function lookOnce(): Promise<void> {
    const dead = [...running].filter(([, member]) => !processes.isAlive(member.process));
    await Promise.all(dead.map(([name, member]) => ended(name, member)));
    await Promise.all(restarts.takeDue().map(({ name, swept }) => startAgain(name, swept)));
  }

  const supervisor: Supervisor = {
    async start(name) {
      const result = await launch(name);
      if (result.ok) await setup.onEvent({ kind: "started", name });
      return result;
    },
    failed,
    adopt: (name, process) => void running.set(name, { ...process, stopRequested: false }),
    async stop(name) {
      await looks.settled();
      const planned = restarts.cancel(name);
      if (planned) return carryOut(name, { kind: "ended", how: asWished }, planned.swept);
      const member = running.get(name);
      if (!member) return;
      member.stopRequested = true;
      await endInSteps({
        ask: () => files.requestStop(name),
        signal: (signal) => processes.signalGroup(member.process, signal),
        isGone: () => supervisor.poll().then(() => !running.has(name)),
        clock,
      });
    },
    async stopAll() {
      await looks.settled();
      await allOf([...running.keys(), ...restarts.planned()].map(supervisor.stop));
    },
    poll: looks.look,
    running: () => [...new Set([...running.keys(), ...starting, ...restarts.planned()])],
    lives: (name) => running.has(name),
  };
  return supervisor;
}

/** What the end of this process means. Its place is closed. */
async function verdictOn(
  { handle, nonce, stopRequested }: Running,
  { display, files, clock }: SupervisorSetup,
  { name, restarts }: { name: string; restarts: number[] },
): Promise<Verdict> {
  const exit = files.exit(name);
  const state = await unlessRefused(display.state(handle), "server_gone");
  await unlessRefused(display.close(handle), undefined);
  const ownExit = exit?.nonce === nonce ? exit : undefined;
  return verdict({ exit: ownExit, display: state, stopRequested, restarts, nowMs: clock.monotonicMs() });
}

/** Waits for all of them, and then throws what the first one threw. */
async function allOf(steps: Promise<void>[]): Promise<void> {
  for (const step of await Promise.allSettled(steps)) if (step.status === "rejected") throw step.reason;
}

/** A call during a running look gets the result of that look. */
function shared(look: () => Promise<void>) {
  let looking: Promise<void> | undefined;
  return {
    look() {
      looking ??= look().finally(() => {
        looking = undefined;
      });
      return looking;
    },
    /** Waits for the running look, which may be restarting a member. Its error is reported to whoever started it. */
    async settled() {
      await looking?.catch(() => {});
    },
  };
}
