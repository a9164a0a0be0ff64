import { describe, expect, it } from "vitest";
import type { ForgeAnswer, ForgeError } from "../../src/batch/forge.ts";
import { patiently, waitBefore } from "../../src/batch/forge-calls.ts";

const reason = "It said no.";
const error = (kind: Exclude<ForgeError["kind"], "rate_limit">): ForgeError => ({ kind, reason });

describe("waitBefore()", () => {
  it("waits until a rate limit ends, unless that takes more than a quarter of an hour", () => {
    const limited = (waitMs: number): ForgeError => ({ kind: "rate_limit", waitMs, reason });
    expect([5_000, 0, 16 * 60_000].map((waitMs) => waitBefore(limited(waitMs), 1))).toEqual([5_000, 0, undefined]);
  });

  it("retries a forge that fails a few times, but never a refusal", () => {
    expect([1, 2, 3, 4].map((attempt) => waitBefore(error("server"), attempt))).toEqual([1_000, 2_000, 4_000, undefined]);
    const refusals = (["auth", "invalid", "not_found"] as const).map((kind) => waitBefore(error(kind), 1));
    expect(refusals).toEqual([undefined, undefined, undefined]);
  });
});

describe("patiently()", () => {
  it("returns the first final answer", async () => {
    const answers: ForgeAnswer<string>[] = [
      { ok: false, error: error("network") },
      { ok: false, error: error("server") },
      { ok: true, value: "opened" },
    ];
    const waited: number[] = [];
    const clock = { sleep: async (ms: number) => void waited.push(ms) };
    const { signal } = new AbortController();
    expect([await patiently(async () => answers.shift()!, { clock, signal }), waited]).toEqual([
      { ok: true, value: "opened" },
      [1_000, 2_000],
    ]);
  });
});
