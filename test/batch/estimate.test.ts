import { expect, it } from "vitest";
import { type Basis, estimateFirstCallUsd, estimateUnits } from "../../src/batch/estimate.ts";
import { seeded } from "../process/seeded.ts";
import { planOf, unit } from "./plans.ts";

const model = "claude-sonnet-4-5";
const nothing: Basis = { units: [], planning: undefined, model };
const used = (tokens: number) => ({ turns: 4, tokens, costUsd: tokens / 1e6 });

it("comes from earlier units, and is narrower the more there are", () => {
  const from = (count: number) =>
    estimateUnits(planOf(6).units, { ...nothing, units: Array.from({ length: count }, (_, at) => used(9_000 + (at % 4) * 200)) });
  const width = (count: number) => from(count).tokens.high - from(count).tokens.low;
  expect(from(4).from).toBe("4 earlier units");
  expect([from(4).tokens.low < 6 * 9_300, from(4).tokens.high > 6 * 9_300, width(12) < width(4), width(4) < width(1)]).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(from(4).cost_usd?.high).toBeCloseTo(from(4).tokens.high / 1e6, 3);
});

it("holds for at least 8 of 10 batches whose units are like the earlier ones", () => {
  const random = seeded(7);
  /** Between a third and three times of the usual, most of them near it. */
  const next = () => Math.round(12_000 * 3 ** (random() + random() - 1));
  const holds = Array.from({ length: 500 }, () => {
    const count = 5 + Math.floor(random() * 20);
    const earlier = Array.from({ length: 1 + Math.floor(random() * 12) }, () => used(next()));
    const { low, high } = estimateUnits(planOf(count).units, { ...nothing, units: earlier }).tokens;
    const actual = Array.from({ length: count }, next).reduce((sum, one) => sum + one, 0);
    return low <= actual && actual <= high;
  });
  expect(holds.filter(Boolean).length / holds.length).toBeGreaterThan(0.8);
});

it("comes from planning where no unit has run, and grows with the files", () => {
  const basis = { ...nothing, planning: { turns: 5, tokens: 20_000, costUsd: 0.1 } };
  const [one, two] = [estimateUnits([unit("a")], basis), estimateUnits([unit("a", { files: ["a.js", "b.js"] })], basis)];
  expect([one.from, one.tokens.low, one.tokens.low < two.tokens.high, one.tokens.high < two.tokens.high]).toEqual([
    "planning, 5 turns",
    5_600,
    true,
    true,
  ]);
  expect(one.cost_usd?.low).toBeCloseTo((one.tokens.low * 0.1) / 20_000, 6);
});

it("says that it is from nothing otherwise, and no price where none is known", () => {
  const here = estimateUnits(planOf(5).units, nothing);
  expect([here.from, (here.cost_usd?.low ?? 0) > 0]).toEqual(["nothing that has run here yet", true]);
  expect(estimateUnits(planOf(5).units, { ...nothing, model: "unknown" }).cost_usd).toBeNull();
  expect([estimateFirstCallUsd("unknown"), estimateFirstCallUsd(model) > 0]).toEqual([0, true]);
});
