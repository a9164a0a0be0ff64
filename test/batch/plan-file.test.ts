import { describe, expect, it } from "vitest";
import { planText, readPlan } from "../../src/batch/plan-file.ts";
import { planOf } from "./plans.ts";

describe("readPlan()", () => {
  it("reads what was written", () => {
    const text = planText(planOf(5), { instruction: "Replace the logger", head: "a".repeat(40) });
    expect(readPlan(text)).toEqual({ ok: true, plan: planOf(5), instruction: "Replace the logger", verdict: { kind: "good" } });
  });

  it("says where a plan is wrong, and judges what can be read", () => {
    expect(readPlan("{")).toMatchObject({ ok: false, reasons: [expect.stringMatching(/^It is no JSON: /)] });
    expect(readPlan('{"units":[{"id":"A"}]}')).toMatchObject({
      ok: false,
      reasons: expect.arrayContaining([expect.stringMatching(/^units\.0\.id: /)]),
    });
    expect(readPlan(JSON.stringify(planOf(31)))).toMatchObject({ ok: true, verdict: { kind: "refused" } });
  });
});
