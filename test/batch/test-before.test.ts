import { expect, it } from "vitest";
import { firstTesters, testBefore } from "../../src/batch/test-before.ts";
import type { UnitRecord } from "../../src/batch/unit-record.ts";
import { recordOf, unit } from "./plans.ts";

const red = { tests: "✗ 1 failed", passed: false };

/** Units by id: what each is tested with, and its record. */
function storeOf(given: Record<string, { test: string } & Partial<UnitRecord>>) {
  const all = Object.entries(given).map(([id, { test, ...record }]) => ({ unit: unit(id, { test }), record: recordOf(id, record) }));
  return {
    plan: { units: all.map((one) => one.unit) },
    units: () => all.map(({ record }) => record),
    unit: (id: string) => all.find(({ record }) => record.id === id)!.record,
  };
}

it("firstTesters() chooses one unit for each command and commit", () => {
  const isFirst = firstTesters(
    storeOf({
      a: { test: "npm test", from: "c1" },
      b: { test: "npm test", from: "c1" },
      later: { test: "npm test", from: "c2" },
      other: { test: "make check", from: "c1" },
      known: { test: "go test", from: "c1", before: red },
      again: { test: "go test", from: "c1" },
    }),
  );
  expect(["a", "b", "a", "later", "other", "known", "again"].map(isFirst)).toEqual([true, false, true, true, true, false, false]);
});

it("testBefore() takes over the result of the unit with the same command and commit", () => {
  const store = storeOf({
    a: { test: "npm test", from: "c1", before: red },
    b: { test: "npm test", from: "c1" },
    later: { test: "npm test", from: "c2" },
    other: { test: "make check", from: "c1" },
  });
  expect(["a", "b", "later", "other"].map((id) => testBefore(store, id))).toEqual([red, red, undefined, undefined]);
});
