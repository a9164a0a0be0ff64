import { expect, it } from "vitest";
import { estimateFirstCallUsd, estimatePlan, estimateUnit } from "../../src/batch/estimate.ts";
import { planOf, unit } from "./plans.ts";

const model = "claude-sonnet-4-5";

it("grows with the files of a unit, and adds up to the plan's", () => {
  const [one, two] = [estimateUnit(unit("a"), model), estimateUnit(unit("a", { files: ["a.js", "b.js"] }), model)];
  expect([one.tokens < two.tokens, (one.costUsd ?? 0) > 0, (one.costUsd ?? 0) < (two.costUsd ?? 0)]).toEqual([true, true, true]);
  const plan = estimatePlan(planOf(5).units, model);
  expect([plan.tokens, plan.costUsd]).toEqual([5 * one.tokens, expect.closeTo(5 * (one.costUsd ?? 0), 9)]);
  expect(estimateFirstCallUsd(model)).toBeLessThan(one.costUsd ?? 0);
});

it("says no price where none is known", () => {
  expect([estimateUnit(unit("a"), "unknown").costUsd, estimatePlan(planOf(5).units, "unknown").costUsd]).toEqual([null, null]);
  expect(estimateFirstCallUsd("unknown")).toBe(0);
});
