// The places of `--places slurm:30,gpu:4`, as a team or a batch keeps them.
import type { PlaceRoom } from "../../places/free-place.ts";
import type { PlaceSettings } from "../../settings/place-settings.ts";
import { UsageError } from "../world.ts";
import { placeNamed } from "./place-named.ts";

/** Without a number, as many hands as the place's `atOnce` says, or one. Throws UsageError for a list that names no places of the settings. */
export function placesList(list: string, settings: Readonly<Record<string, PlaceSettings>>): PlaceRoom[] {
  const places = list.split(",").map((each) => {
    const [, name = "", count] = /^\s*([^:\s]+)(?::([1-9]\d{0,3}))?\s*$/.exec(each) ?? [];
    if (name === "") throw new UsageError(`cannot use --places ${JSON.stringify(list)}: it is a list such as slurm:30,gpu:4.`);
    const found = placeNamed(settings, name);
    if (!found.ok) throw new UsageError(found.reason);
    const { atOnce } = found.place;
    return { name, at_once: Math.min(Number(count ?? atOnce ?? 1), atOnce ?? Number.POSITIVE_INFINITY) };
  });
  const twice = places.find(({ name }, at) => places.findIndex((other) => other.name === name) !== at);
  if (twice) throw new UsageError(`--places names "${twice.name}" twice. Name each place once.`);
  return places;
}

export const roomIn = (places: readonly PlaceRoom[]) => places.reduce((sum, { at_once }) => sum + at_once, 0);

/** Of the places that a team or a batch had, those that the settings still have, and the names of the others. */
export function placesKept(
  before: readonly PlaceRoom[] | undefined,
  settings: Readonly<Record<string, PlaceSettings>>,
): { kept: PlaceRoom[] | undefined; gone: string[] } {
  const gone = (before ?? []).filter(({ name }) => !placeNamed(settings, name).ok).map(({ name }) => name);
  return { kept: before?.filter(({ name }) => !gone.includes(name)), gone };
}

export function goneText(gone: readonly string[], kept: readonly PlaceRoom[] = []): string {
  const instead =
    kept.length > 0
      ? `What worked there goes on at ${kept.map(({ name }) => name).join(", ")}.`
      : "What worked there goes on on this machine.";
  return `Your settings no longer have ${gone.map((name) => `the place "${name}"`).join(", ")}. ${instead} --places names others.`;
}
