// Ending a process in steps, on a clock that moves whenever somebody waits.
import { describe, expect, it } from "vitest";
import { endInSteps, happensWithin } from "../../src/team/end-process.ts";

function clockFrom(nowMs: number) {
  let ms = nowMs;
  const sleep = async (forMs: number) => {
    ms += forMs;
  };
  return { monotonicMs: () => ms, sleep };
}

/** A process that ends as soon as it has received one of these. */
async function ended({ by, asked = true }: { by: string[]; asked?: boolean }) {
  const clock = clockFrom(5);
  const got: string[] = [];
  const how = await endInSteps({
    ask: () => {
      if (asked) got.push("asked");
      return asked;
    },
    signal: (signal) => got.push(signal),
    isGone: async () => got.some((step) => by.includes(step)),
    clock,
  });
  return { how, got, ms: Math.round((clock.monotonicMs() - 5) / 100) * 100 };
}

describe("endInSteps()", () => {
  it.each([
    [{ by: ["asked"] }, { how: "stopped", got: ["asked"], ms: 0 }],
    [{ by: ["SIGTERM"] }, { how: "stopped by SIGTERM", got: ["asked", "SIGTERM"], ms: 10_000 }],
    [{ by: ["SIGKILL"] }, { how: "killed", got: ["asked", "SIGTERM", "SIGKILL"], ms: 15_000 }],
    [{ by: [] }, { how: undefined, got: ["asked", "SIGTERM", "SIGKILL"], ms: 20_000 }],
    [
      { by: ["SIGTERM"], asked: false },
      { how: "stopped by SIGTERM", got: ["SIGTERM"], ms: 0 },
    ],
  ])("%j", async (process, end) => {
    expect(await ended(process)).toEqual(end);
  });
});

describe("happensWithin()", () => {
  it("looks once more when the time is over, and once if there is no time", async () => {
    const clock = clockFrom(0);
    expect(await happensWithin(100, clock, () => clock.monotonicMs() >= 100)).toBe(true);
    expect(await happensWithin(100, clock, () => clock.monotonicMs() > 200)).toBe(false);
    expect(await happensWithin(0, clock, () => true)).toBe(true);
  });
});
