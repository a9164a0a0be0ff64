// Positions of moments on the timeline.
import { expect, it } from "vitest";
import { createScale } from "../../../src/screen/report-page/scale.ts";

const minute = 60_000;

it("places times evenly, and times outside at its ends", () => {
  const scale = createScale([2 * minute], { from: 0, to: 10 * minute });
  expect([-1, 0, minute, 5 * minute, 10 * minute, 20 * minute].map((time) => scale.percent(time))).toEqual([0, 0, 10, 50, 100, 100]);
  expect(scale.ticks.map(({ ms }) => ms / minute)).toEqual([0, 2, 4, 6, 8, 10]);
  expect(scale.breaks).toEqual([]);
});

it("draws a night in which nothing happened as five minutes", () => {
  const scale = createScale([5 * minute, 605 * minute], { from: 0, to: 610 * minute });
  expect(scale.breaks).toEqual([{ at: (100 * 5) / 15, width: (100 * 5) / 15, ms: 600 * minute }]);
  expect(scale.percent(607.5 * minute)).toBeCloseTo(100 * (12.5 / 15));
  expect(scale.ticks.every(({ ms }) => ms <= 5 * minute || ms >= 605 * minute)).toBe(true);
});

it("has a place for everything even if no time has passed", () => {
  expect(createScale([], { from: 5, to: 5 }).percent(5)).toBe(0);
});
