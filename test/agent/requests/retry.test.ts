import { describe, expect, it } from "vitest";
import type { Clock } from "../../../src/agent/ports/clock.ts";
import type { Model, ModelFault, ModelOutcome, ModelReply, ModelRequest } from "../../../src/agent/ports/model.ts";
import { longestRetryAfterMs, maxAttempts, type Retry, waitBeforeRetry, withRetries } from "../../../src/agent/requests/retry.ts";

const request: ModelRequest = { model: "m", max_tokens: 1, system: [], tools: [], messages: [] };
const usage = { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
const reply: ModelReply = { kind: "reply", message: { role: "assistant", content: [] }, stop_reason: "end_turn", usage, model: "m" };
const busy: ModelFault = { verdict: "retry", reason: "Provider overloaded (529).", status: 529 };

const fault = (what: ModelFault): ModelOutcome => ({ kind: "fault", fault: what });

/** A clock that only sleeps move forward, without random delays. */
function manualClock(): Clock & { slept: number[] } {
  let now = 0;
  const slept: number[] = [];
  return {
    slept,
    now: () => new Date(0),
    monotonicMs: () => now,
    random: () => 0,
    sleep: async (ms) => {
      slept.push(ms);
      now += ms;
    },
  };
}

/** A model that gives these outcomes, repeating the last one, and records the retry counts that it receives. */
function modelOf(outcomes: ModelOutcome[]): Model & { counts: number[] } {
  const counts: number[] = [];
  return {
    counts,
    attempt: async (_request, { retryCount, onText }) => {
      counts.push(retryCount);
      onText(`text ${retryCount}`);
      return outcomes[Math.min(retryCount, outcomes.length - 1)]!;
    },
  };
}

async function run(model: Model, clock = manualClock(), signal = new AbortController().signal) {
  const seen: unknown[] = [];
  const outcome = await withRetries(model, request, {
    clock,
    signal,
    onAttempt: (count) => seen.push(count),
    onRetry: (retry) => seen.push(retry),
    onText: (text) => seen.push(text),
  });
  return { outcome, seen, slept: clock.slept };
}

describe("a request", () => {
  it("is made again until there is a reply, and every wait is shown before it", async () => {
    const model = modelOf([fault(busy), fault({ ...busy, retryAfterMs: 7000 }), reply]);
    expect(await run(model)).toEqual({
      outcome: reply,
      seen: [
        0,
        "text 0",
        { reason: busy.reason, waitMs: 500, retryCount: 1 },
        1,
        "text 1",
        { reason: busy.reason, waitMs: 7000, retryCount: 2 },
        2,
        "text 2",
      ],
      slept: [500, 7000],
    });
    expect(model.counts).toEqual([0, 1, 2]);
  });

  it.each(["spent", "fatal", "overflow"] as const)("is not made again when the verdict is %s", async (verdict) => {
    const refused = fault({ verdict, reason: "No.", retryAfterMs: 1 });
    expect(await run(modelOf([refused, reply]))).toEqual({ outcome: refused, seen: [0, "text 0"], slept: [] });
  });

  it("is given up after ten attempts, with their number and duration", async () => {
    const model = modelOf([fault(busy)]);
    const { outcome, slept } = await run(model);
    expect(outcome).toEqual(fault({ ...busy, reason: "Provider overloaded (529). Given up after 10 attempts in 128 s." }));
    expect(slept).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 32_000, 32_000, 32_000]);
    expect(model.counts).toEqual(Array.from({ length: maxAttempts }, (_, n) => n));
  });

  it("ends as aborted when aborted before it, within it, or in a wait", async () => {
    const before = new AbortController();
    before.abort();
    const within = new AbortController();
    const waiting = new AbortController();
    const clock = manualClock();
    const abortsInSleep = { ...clock, sleep: async () => waiting.abort() };
    const model = modelOf([fault(busy)]);
    expect((await run(model, clock, before.signal)).outcome).toEqual({ kind: "aborted" });
    expect((await run(modelOf([{ kind: "aborted" }]), clock, within.signal)).outcome).toEqual({ kind: "aborted" });
    expect((await run(model, abortsInSleep, waiting.signal)).outcome).toEqual({ kind: "aborted" });
    expect(model.counts).toEqual([0]);
  });
});

describe("a wait", () => {
  const wait = (retryAfterMs: number | undefined, retryCount: number, chance: number) =>
    waitBeforeRetry({ ...busy, retryAfterMs }, { retryCount, chance });

  it.each([
    [undefined, 0, 0, 500],
    [undefined, 0, 0.5, 375],
    [undefined, 3, 0, 4000],
    [undefined, 3, 0.999, 2002],
    [undefined, 40, 0, 32_000],
    [2000, 0, 0, 2000],
    [2000, 0, 0.5, 2500],
    [0, 0, 0, 500],
    [1000, 8, 0, 32_000],
    [600_000, 2, 0, 600_000],
    [1e15, 0, 0, longestRetryAfterMs],
  ])("asked for %s ms, after attempt %i, with chance %d: %i ms", (asked, retryCount, chance, expected) => {
    expect(wait(asked, retryCount, chance)).toBe(expected satisfies Retry["waitMs"]);
  });
});
