// How a unit's test ended before its agent began, so that a red test that was red already is no news. Each command is run once for each commit that
// units start at; a unit with the same command and start takes over the result.
import type { BatchStore } from "./batch-record.ts";
import type { TestBefore, UnitRecord } from "./unit-record.ts";

type Units = Pick<BatchStore, "plan" | "units" | "unit">;

/** Undefined if that is not known. */
export function testBefore(store: Units, id: string): TestBefore | undefined {
  const own = store.unit(id);
  return own.before ?? alike(store, own).find(({ before }) => before !== undefined)?.before;
}

/** Says for a unit whose agent begins whether it is the first with its test, and runs that before. */
export function firstTesters(store: Units): (id: string) => boolean {
  const begun = new Set<string>();
  return (id) => {
    const own = store.unit(id);
    if (testBefore(store, id) !== undefined || alike(store, own).some((other) => other.id !== id && begun.has(other.id))) return false;
    begun.add(id);
    return true;
  };
}

/** ` (was red before)`, or nothing. */
export const redBeforeText = (before: TestBefore | undefined): string => (before?.passed === false ? " (was red before)" : "");

function alike({ plan, units }: Units, { id, from }: UnitRecord): UnitRecord[] {
  const testOf = (which: string) => plan.units.find((unit) => unit.id === which)?.test;
  return units().filter((other) => other.from === from && testOf(other.id) === testOf(id));
}
