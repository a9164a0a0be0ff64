// The places of a team that is resumed: a teammate whose place the person's settings no longer name goes on elsewhere, and that is said.
import { changeMember, type TeamRecord } from "../../board/team-record.ts";
import { freePlace, type PlaceRoom } from "../../places/free-place.ts";
import { placesInUse } from "../lead/teammate-place.ts";
import type { StatusOf } from "../member-files.ts";

type Now = { isThere: (place: string) => boolean; places: readonly PlaceRoom[]; statusOf: StatusOf };

/** `lines`: one for each teammate that goes on elsewhere. */
export function placesNow(before: TeamRecord, { isThere, places, statusOf }: Now): { record: TeamRecord; lines: string[] } {
  const lines: string[] = [];
  let record = before;
  for (const { name, place, ended } of before.members) {
    if (place === undefined || isThere(place) || (ended && !ended.with_team)) continue;
    const others = record.members.filter((member) => member.name !== name);
    const next = freePlace(places, { ...placesInUse(others, statusOf), left: [] });
    record = changeMember(record, name, { place: next, moves: next === undefined ? undefined : true });
    lines.push(
      `${name}: your settings no longer have the place "${place}"; its hands are ${next === undefined ? "on this machine" : `at ${next}`} now`,
    );
  }
  return { record, lines };
}
