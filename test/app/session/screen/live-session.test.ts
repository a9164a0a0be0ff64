// The states of a session on a screen, and what its keys do in them.
import { expect, it } from "vitest";
import { enter, interruptOwn, type Live, runnerOf, runTyped } from "../../../../src/app/session/screen/live-session.ts";
import { isBusy } from "../../../../src/app/session/screen/live-state.ts";
import { waker } from "../../../../src/app/waker.ts";

/** A session whose person has a command running, and what was done to it. */
function session() {
  const did: string[] = [];
  const own = { run: (line: string) => did.push(`ran ${line}`) > 0, interrupt: () => did.push("interrupted") > 0 };
  const compaction = { waits: () => true, make: async () => void did.push("compacted") };
  const pane = { turnSignal: () => new AbortController().signal };
  const parts = { state: { kind: "opening", sinceMs: 0 }, own, compaction, pane, wake: waker(), nowMs: () => 7 };
  return { live: parts as unknown as Live, did };
}

it("says what it does while it is run, and never returns from leaving", async () => {
  const { live } = session();
  const runner = runnerOf(live);
  const seen = [live.state];
  const waits = runner.changed(new AbortController().signal);
  seen.push(live.state);
  live.wake.notify();
  await waits;
  runner.turnSignal();
  seen.push(live.state);
  await runner.compaction.make(new AbortController().signal);
  seen.push(live.state);
  enter(live, "leaving");
  enter(live, "working");
  seen.push(live.state);
  expect(seen.map((state) => [state.kind, state.sinceMs, isBusy(state)])).toEqual([
    ["opening", 0, false],
    ["waiting", 7, false],
    ["working", 7, true],
    ["compacting", 7, true],
    ["leaving", 7, false],
  ]);
});

it("interrupts the person's own command at Esc only where no turns run, and runs none once it leaves", () => {
  const { live, did } = session();
  const typed = { commands: [], explain: () => undefined };
  for (const kind of ["working", "compacting", "rewinding"] as const) {
    enter(live, kind);
    interruptOwn(live);
  }
  expect(did).toEqual([]);
  enter(live, "waiting");
  interruptOwn(live);
  expect([runTyped(live, typed, "!ls"), did]).toEqual([true, ["interrupted", "ran !ls"]]);
  enter(live, "leaving");
  expect([runTyped(live, typed, "!ls"), did]).toEqual([false, ["interrupted", "ran !ls"]]);
});
