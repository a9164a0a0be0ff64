import { describe, expect, it } from "vitest";
import { hungForMs, hungWords } from "../../src/team/hung.ts";
import type { MemberStatus } from "../../src/team/report/status.ts";

const status = (facts: Partial<MemberStatus> = {}) =>
  ({ state: "working", sign_ms: 1_000, hung_after_ms: 500, asks_model: false, ...facts }) as MemberStatus;

describe("hungForMs()", () => {
  it.each([
    [status(), false, 1_499, undefined],
    [status(), false, 1_500, 500],
    [status({ state: "idle" }), false, 9_000, undefined],
    [status({ asks_model: true }), false, 9_000, undefined],
    [status({ asks_model: true }), true, 9_000, 8_000],
    [status({ sign_ms: undefined }), false, 9_000, undefined],
    [undefined, false, 9_000, undefined],
  ])("of %j, stopped %s, at %i", (of, stopped, nowMs, silentMs) => {
    expect(hungForMs({ status: of, stopped, nowMs })).toBe(silentMs);
  });
});

it("hungWords() count whole minutes", () => {
  expect([hungWords(60_000, ""), hungWords(179_999, "Bash npm test")]).toEqual([
    "no event for 1 minute",
    "no event for 2 minutes: Bash npm test",
  ]);
});
