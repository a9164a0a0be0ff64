// Plans for tests: units that can run in parallel.
import type { BatchRecord } from "../../src/batch/batch-record.ts";
import type { Plan, Unit } from "../../src/batch/plan/plan.ts";
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

/** The record of a unit of batch 7 that has not cost anything yet. */
export const recordOf = (id: string, change: Partial<UnitRecord> = {}): UnitRecord => ({
  ...plannedUnit({ id, branch: `tool/batch-7/${id}`, folder: `/repo/app-batch-7/${id}`, session: "s" }),
  ...change,
});

/** Batch 7, which has cost half a dollar. */
export const batchRecord = (change: Partial<BatchRecord> = {}): BatchRecord => ({
  version: 1,
  id: "7",
  instruction: "Do it",
  created_at: "2026-11-22T12:00:00Z",
  root: "/repo/app",
  head: "head",
  pull_requests: { base: "main", remote: "origin", stack: true },
  concurrency: 2,
  budget_usd: 5,
  grants_tests: false,
  commit_hooks: { folder: "/repo/app/.git/hooks", names: ["pre-commit"] },
  planning_usd: 0.5,
  flags: { allow: [], deny: [] },
  ...change,
});
