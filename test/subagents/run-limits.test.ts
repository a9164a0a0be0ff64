import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../src/agent/events.ts";
import type { Halt } from "../../src/subagents/outcome.ts";
import { watchRun } from "../../src/subagents/run-limits.ts";

const minute = 60_000;

/** A clock that the test moves; sleeps end in the order of their deadlines. */
function manualClock() {
  let now = 0;
  let sleepers: { at: number; wake: () => void }[] = [];
  return {
    clock: {
      now: () => new Date(now),
      monotonicMs: () => now,
      random: () => 0,
      sleep: (ms: number) => new Promise<void>((resolve) => void sleepers.push({ at: now + ms, wake: resolve })),
    },
    async goOn(ms: number) {
      for (const end = now + ms; now < end; ) {
        now = Math.min(end, ...sleepers.map(({ at }) => at));
        const due = sleepers.filter(({ at }) => at <= now);
        sleepers = sleepers.filter(({ at }) => at > now);
        for (const { wake } of due) wake();
        await new Promise(setImmediate);
      }
    },
  };
}

function watched(waits?: () => boolean, askedOf?: (nowMs: number) => number) {
  const { clock, goOn } = manualClock();
  const askedMs = askedOf && (() => askedOf(clock.monotonicMs()));
  const ends: string[] = [];
  const controller = new AbortController();
  const halt = ({ state, reason }: Halt) => {
    ends.push(`${state}: ${reason}`);
    controller.abort();
  };
  const limits = { wallClockMs: 60 * minute, noProgressMs: 15 * minute, equalDenials: 3 };
  return {
    see: watchRun({ clock, limits, halt, signal: controller.signal, ...(waits && { waits }), ...(askedMs && { askedMs }) }),
    goOn,
    ends,
  };
}

const request: AgentEvent = { type: "request", turn: 1, retryCount: 0, at: "" };
const denied = (subject: string): AgentEvent => ({
  type: "denied",
  id: "c",
  name: "Bash",
  subject,
  reason: "The rule Bash(rm *) denies it.",
  at: "",
});

describe("watchRun()", () => {
  it("ends a run without progress, and not before", async () => {
    const { see, goOn, ends } = watched();
    await goOn(14 * minute);
    see(request);
    await goOn(14 * minute);
    expect(ends).toEqual([]);
    await goOn(2 * minute);
    expect(ends).toEqual(["failed: It made no progress for 15 minutes."]);
  });

  it("counts no time in which it waits for the person, for neither limit", async () => {
    const { see, goOn, ends } = watched(undefined, (nowMs) => Math.min(nowMs, 80 * minute));
    await goOn(94 * minute);
    see(request);
    await goOn(14 * minute);
    expect(ends).toEqual([]);
    await goOn(2 * minute);
    expect(ends).toEqual(["failed: It made no progress for 15 minutes."]);
  });

  it("does not count time in which it waits for its own agents", async () => {
    let waits = true;
    const { goOn, ends } = watched(() => waits);
    await goOn(50 * minute);
    waits = false;
    expect(ends).toEqual([]);
    await goOn(9 * minute);
    expect(ends).toEqual([]);
  });

  it("ends a run at its time limit even if it makes progress", async () => {
    const { see, goOn, ends } = watched();
    for (let n = 0; n < 6; n++) {
      await goOn(10 * minute - 1);
      see(request);
    }
    expect(ends).toEqual([]);
    await goOn(minute);
    expect(ends).toEqual(["failed: It ran for 60 minutes, its limit."]);
  });

  it("ends a run after three equal denials", () => {
    const { see, ends } = watched();
    for (const subject of ["rm a", "rm b", "rm a"]) see(denied(subject));
    expect(ends).toEqual([]);
    see(denied("rm a"));
    expect(ends).toEqual(["failed: Bash rm a was denied 3 times: The rule Bash(rm *) denies it."]);
  });
});
