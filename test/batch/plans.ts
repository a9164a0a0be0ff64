// Plans for tests: units that can be carried out side by side.
import type { Plan, Unit } from "../../src/batch/plan.ts";

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
