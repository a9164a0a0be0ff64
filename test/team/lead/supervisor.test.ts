// Watching over teammates' processes when a display or a disk fails to do what it is asked.
import { expect, it } from "vitest";
import type { Clock } from "../../../src/agent/ports/clock.ts";
import type { Display, DisplayHandle } from "../../../src/team/display/display.ts";
import { createSupervisor, type MemberFiles, type SupervisorEvent } from "../../../src/team/lead/supervisor.ts";
import type { MemberExit, MemberStatus } from "../../../src/team/report/status.ts";
import { calmDisplay } from "./calm-display.ts";

it("a display that does not answer counts as lost: the teammate is started again", async () => {
  const world = fakeWorld({ state: () => Promise.reject(displayError()), close: () => Promise.reject(displayError()) });
  await world.supervisor.start("ada");
  world.alive.clear();
  await world.supervisor.poll();
  expect(world.events).toEqual([
    { kind: "started", name: "ada" },
    { kind: "restart", name: "ada", how: "its process died", afterMs: 0 },
  ]);
  expect(world.supervisor.running()).toEqual(["ada"]);
});

it("each restart waits longer than the one before, and a fourth one is not made", async () => {
  const world = fakeWorld({});
  await world.supervisor.start("ada");
  const lives: boolean[] = [];
  for (const waitedMs of [0, 0, 999, 1, 4_999, 1]) {
    if (world.alive.size > 0) world.alive.clear();
    world.pass(waitedMs);
    await world.supervisor.poll();
    lives.push(world.alive.size > 0);
  }
  expect([lives, world.supervisor.running()]).toEqual([[true, false, false, true, false, false], ["ada"]]);
  world.pass(4_999);
  await world.supervisor.poll();
  world.alive.clear();
  await world.supervisor.poll();
  expect(world.events.slice(1)).toEqual([
    ...[0, 1_000, 5_000].map((afterMs) => ({ kind: "restart", name: "ada", how: "its process died", afterMs })),
    { kind: "gone", name: "ada", how: "its process died, after 3 restarts in 10 minutes" },
  ]);
});

it("a start that failed is made again when its caller wants that", async () => {
  const world = fakeWorld({});
  await world.supervisor.failed("ada", { ok: false, reason: "ada did not start: tmux did not answer" });
  expect(world.supervisor.running()).toEqual(["ada"]);
  await world.supervisor.poll();
  expect([world.alive.size, world.events]).toEqual([
    1,
    [{ kind: "restart", name: "ada", how: "ada did not start: tmux did not answer", afterMs: 0 }],
  ]);
});

it("one that waits for its restart has no process, and can be stopped", async () => {
  const world = fakeWorld({});
  await world.supervisor.start("ada");
  expect(world.supervisor.lives("ada")).toBe(true);
  for (let times = 1; times <= 2; times++) {
    world.alive.clear();
    await world.supervisor.poll();
  }
  expect([world.supervisor.running(), world.supervisor.lives("ada")]).toEqual([["ada"], false]);
  await world.supervisor.stopAll();
  world.pass(60_000);
  await world.supervisor.poll();
  expect([world.events.at(-1), world.supervisor.running(), world.alive.size]).toEqual([
    { kind: "ended", name: "ada", how: "stopped" },
    [],
    0,
  ]);
});

it.each([
  {
    cause: undefined,
    last: { kind: "restart", name: "ada", how: "ada did not start: no memory", afterMs: 1_000 },
  },
  {
    cause: "configuration" as const,
    last: { kind: "gone", name: "ada", how: "ada did not start: no memory; it is not started again, since that would fail the same way" },
  },
])("a restart that fails is made again unless it would fail the same way: $cause", async ({ cause, last }) => {
  let starts = 0;
  const exit = (nonce: string): MemberExit => ({ reason: "fault", nonce, at: "", code: 1, detail: "no memory", ...(cause && { cause }) });
  const world = fakeWorld(
    {},
    { prepare: async () => ({ ok: true, path: String(++starts) }), exit: () => (starts > 1 ? exit("2") : undefined) },
  );
  await world.supervisor.start("ada");
  world.silence();
  world.alive.clear();
  await world.supervisor.poll();
  expect(world.events.at(-1)).toEqual(last);
});

it("a place that cannot be recorded is closed again", async () => {
  const closed: string[] = [];
  const world = fakeWorld({ close: async (handle) => void closed.push(paneOf(handle)) }, { recordPlace: async () => refused });
  expect(await world.supervisor.start("ada")).toEqual(refused);
  expect([closed, world.supervisor.running()]).toEqual([["%1"], []]);
});

it("a teammate that cannot be asked to end is signalled at once", async () => {
  const world = fakeWorld({}, { requestStop: () => false });
  await world.supervisor.start("ada");
  await world.supervisor.stopAll();
  expect([world.signals, world.events.at(-1)]).toEqual([["SIGTERM"], { kind: "ended", name: "ada", how: "stopped" }]);
});

const refused = { ok: false, reason: "no space left" } as const;

/** One pane and one process; sleeping moves the clock. */
function fakeWorld(display: Partial<Display>, files: Partial<MemberFiles> = {}) {
  const alive = new Set<number>();
  const events: SupervisorEvent[] = [];
  const signals: string[] = [];
  let [now, pid] = [0, 0];
  const clock: Clock = {
    now: () => new Date(0),
    monotonicMs: () => now,
    random: () => 0,
    async sleep(ms) {
      now += ms;
    },
  };
  let speaks = true;
  const status = (): MemberStatus | undefined => (speaks ? { ...blank, pid, nonce: String(pid) } : undefined);
  const pass = (ms: number) => {
    now += ms;
  };
  /** Processes that start after this write no status. */
  const silence = () => {
    speaks = false;
  };
  const supervisor = createSupervisor({
    display: { ...calmDisplay, ...display },
    ownerOf: (name) => name,
    files: {
      prepare: async () => ({ ok: true, path: "launch.json" }),
      discard: () => {},
      status,
      exit: () => undefined,
      recordPlace: async () => ({ ok: true }),
      requestStop: () => true,
      ...files,
    },
    processes: {
      isAlive: (process) => alive.has(process.pid),
      signalGroup(_process, signal) {
        signals.push(signal);
        alive.clear();
      },
      sweep: async () => {},
    },
    clock,
    startsAtOnce: 2,
    nonce() {
      alive.add(++pid);
      return String(pid);
    },
    launcher: (path) => [path],
    cwd: "/",
    onEvent: async (event) => void events.push(event),
  });
  return { supervisor, alive, events, signals, pass, silence };
}

const blank: MemberStatus = {
  name: "ada",
  pid: 0,
  start: "0",
  nonce: "",
  session: "s",
  state: "idle",
  task: null,
  doing: "",
  since: "",
  turns: 0,
  tokens: 0,
  cached_tokens: 0,
  cost_usd: 0,
};

function displayError(): Error {
  return Object.assign(new Error("tmux did not answer within 5 s"), { name: "DisplayError" });
}

function paneOf(handle: DisplayHandle): string {
  return handle.kind === "tmux" ? handle.pane : "";
}
