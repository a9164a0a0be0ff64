// Plans for tests: units that can be carried out side by side.
import type { Plan, Unit } from "../../src/batch/plan.ts";
import { plannedUnit, type UnitRecord } from "../../src/batch/unit-record.ts";

export function unit(id: string, change: Partial<Unit> = {}): Unit {
  return {
    id,
    title: `Logger in ${id}`,
    instruction: `Use the logger in ${id}.`,
    files: [`src/${id}.js`],
    test: `node --test test/${id}.test.js`,
    phase: 1,
    needs: [],
    ...change,
  };
}

export const planOf = (count: number): Plan => ({ units: Array.from({ length: count }, (_, index) => unit(`u${index + 1}`)) });

/** The record of a unit of batch 7 that has used nothing yet. */
export const recordOf = (id: string, change: Partial<UnitRecord> = {}): UnitRecord => ({
  ...plannedUnit({ id, branch: `tool/batch-7/${id}`, folder: `/repo/app-batch-7/${id}`, session: "s" }),
  ...change,
});
