// Chooses the units that begin next: those of the earliest unsettled phase, in the plan's order, up to the limit.
import type { Unit } from "./plan/plan.ts";
import { hasResult, isSettled, type UnitRecord } from "./unit-record.ts";

export type Place = { unit: Unit; record: UnitRecord };

export type Next = {
  start: Place[];
  /** `missing`: the units whose results it needs and that have none. */
  skip: (Place & { missing: string[] })[];
};

export function nextUnits(places: readonly Place[], { running, room }: { running: ReadonlySet<string>; room: number }): Next {
  const open = places.filter(({ record }) => !isSettled(record));
  const phase = Math.min(...open.map(({ unit }) => unit.phase));
  const now = open.filter(({ unit }) => unit.phase === phase && !running.has(unit.id));
  const missingOf = ({ unit }: Place) =>
    unit.needs.filter((id) => !places.some((other) => other.unit.id === id && hasResult(other.record)));
  const isBegun = ({ record }: Place) => record.state !== "planned";
  return {
    skip: now.filter((place) => !isBegun(place) && missingOf(place).length > 0).map((place) => ({ ...place, missing: missingOf(place) })),
    start: now.filter((place) => isBegun(place) || missingOf(place).length === 0).slice(0, Math.max(0, room)),
  };
}

/** The phase before this one in the plan; undefined for the first. */
export function phaseBefore(units: readonly Pick<Unit, "phase">[], phase: number): number | undefined {
  const earlier = units.filter((unit) => unit.phase < phase).map((unit) => unit.phase);
  return earlier.length > 0 ? Math.max(...earlier) : undefined;
}

export const hasLaterPhase = (units: readonly Pick<Unit, "phase">[], phase: number): boolean => units.some((unit) => unit.phase > phase);
