import { expect, it } from "vitest";
import { type FailureClass, nextTryMs } from "../../src/team/failure-classes.ts";

const seconds = (failure: FailureClass, made: number[]) => made.map((count) => (nextTryMs(failure, count) ?? Number.NaN) / 1_000);

it.each<[FailureClass, number[], number[]]>([
  ["key_refused", [0], [Number.NaN]],
  ["configuration", [0], [Number.NaN]],
  ["crash", [0, 1, 2, 3], [0, 1, 5, Number.NaN]],
  ["outage", [0, 1, 2, 3, 4, 5, 6, 39, 40], [30, 60, 120, 300, 600, 900, 900, 900, Number.NaN]],
  ["quota", [0, 1, 2, 3, 7, 8], [600, 1_800, 3_600, 3_600, 3_600, Number.NaN]],
])("nextTryMs() of %s, tried %j times before", (failure, made, expected) => {
  expect(seconds(failure, made)).toEqual(expected);
});
