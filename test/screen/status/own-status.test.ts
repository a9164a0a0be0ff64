import { describe, expect, it } from "vitest";
import { ownStatus, type StatusRun, statusText } from "../../../src/screen/status/own-status.ts";

/** Runs and pauses end when the test says so. */
function place() {
  const runs: { input: string; end: (result: Awaited<ReturnType<StatusRun>>) => void }[] = [];
  const pauses: (() => void)[] = [];
  const told: string[] = [];
  const ending = new AbortController();
  const line = ownStatus({
    run: (input) => new Promise((end) => runs.push({ input, end })),
    clock: { sleep: () => new Promise((end) => pauses.push(end)) },
    signal: ending.signal,
    changed: () => told.push("changed"),
    failed: (reason) => told.push(reason),
  });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const end = async (result: Awaited<ReturnType<StatusRun>>) => {
    runs.at(-1)?.end(result);
    await settled();
  };
  const pauseOver = async () => {
    pauses.at(-1)?.();
    await settled();
  };
  return { runs, told, line, end, pauseOver, ending };
}

describe("ownStatus()", () => {
  it("never waits: it shows the last line while a run goes on, and starts the next one after the pause, with the newest facts", async () => {
    const { runs, told, line, end, pauseOver } = place();
    expect([line("1"), line("2"), line("3")]).toEqual([undefined, undefined, undefined]);
    await end({ ok: true, text: "one" });
    expect(runs.map(({ input }) => input)).toEqual(["1"]);
    await pauseOver();
    expect([line("3"), told]).toEqual(["one", ["changed"]]);
    expect(runs.map(({ input }) => input)).toEqual(["1", "3"]);
    await end({ ok: true, text: "three" });
    await pauseOver();
    expect([line("3"), runs.length]).toEqual(["three", 2]);
  });

  it("keeps the last good line and says a failure once", async () => {
    const { told, line, end, pauseOver } = place();
    for (const result of [{ ok: true, text: "good" } as const, ...[1, 2].map(() => ({ ok: false, reason: "it hung" }) as const)]) {
      line(String(Math.random()));
      await end(result);
      await pauseOver();
    }
    expect([line("x"), told]).toEqual(["good", ["changed", "it hung"]]);
  });

  it("starts nothing after its session has ended", async () => {
    const { runs, line, end, pauseOver, ending } = place();
    line("1");
    line("2");
    ending.abort();
    await end({ ok: true, text: "late" });
    await pauseOver();
    expect([line("3"), runs.length]).toEqual([undefined, 1]);
  });
});

describe("statusText()", () => {
  it.each([
    ["a \x1b[31mred\x1b[0m word\nsecond line", "a \x1b[31mred\x1b[0m word\x1b[0m"],
    ["\n\n  later", "  later"],
    ["\x1b[2J\x1b[Hhome\x1b]0;title\x07\x1b]8;;http://x\x1b\\link\x1b[?1049h\x1b(0", "homelink"],
    ["cut\x1b", "cut\\x1b"],
    ["a\rb\x07\u202ec", "a\\x0db\\x07\\u{202e}c"],
    ["", ""],
  ])("keeps of %j only a line and its colours", (printed, expected) => {
    expect(statusText(printed, { colour: true }, 80)).toBe(expected);
  });

  it("is cut to the width, whatever its length, and has no colours where there are none", () => {
    expect(statusText("x".repeat(1_000_000), { colour: true }, 10)).toBe("xxxxxxxxx…");
    expect(statusText("\x1b[31mred\x1b[0m", { colour: false }, 10)).toBe("red");
  });
});
