// The places of a team, from `--places gpu:4,slurm:20` and `--teammate rita@gpu`.
import type { PlaceRoom } from "../../places/free-place.ts";
import type { PlaceSettings } from "../../settings/place-settings.ts";
import type { NamedTeammate } from "../../team/launch.ts";
import { UsageError } from "../world.ts";
import { placeNamed } from "./place-named.ts";
import { placesList } from "./places-list.ts";

type Wanted = { places?: string; teammate?: readonly NamedTeammate[] };

/** Those of the list; of a kept one, those that are still there. Throws UsageError if a place is not there or too small, or if the team works in one tree. */
export function teamPlaces(
  { places: list, teammate = [] }: Wanted,
  settings: Readonly<Record<string, PlaceSettings>>,
  { hasTrees, isKept = false }: { hasTrees: boolean; isKept?: boolean },
): PlaceRoom[] | undefined {
  const named = teammate.flatMap(({ name, place }) => (place === undefined ? [] : { name, place }));
  const [first] = named;
  if (!hasTrees && (list !== undefined || first)) {
    const flag = first ? `--teammate ${first.name}@${first.place}` : "--places";
    throw new UsageError(
      `${flag} needs --worktrees: hands on another machine work in a copy of their own, and this team shares one tree. Add --worktrees. Nothing was started.`,
    );
  }
  const places = list === undefined ? undefined : isKept ? keptList(list, settings) : placesList(list, settings);
  for (const place of new Set(named.map((one) => one.place))) {
    const found = placeNamed(settings, place);
    if (!found.ok) throw new UsageError(found.reason);
    const most = places?.find(({ name }) => name === place)?.at_once ?? found.place.atOnce;
    const names = named.filter((one) => one.place === place).map(({ name }) => name);
    if (most !== undefined && names.length > most)
      throw new UsageError(
        `the place "${place}" takes ${most} at the same time, and ${names.join(", ")} are to be there. Nothing was started.`,
      );
  }
  return places;
}

function keptList(list: string, settings: Readonly<Record<string, PlaceSettings>>): PlaceRoom[] | undefined {
  const there = list.split(",").filter((each) => placeNamed(settings, (each.split(":")[0] ?? "").trim()).ok);
  return there.length === 0 ? undefined : placesList(there.join(","), settings);
}
