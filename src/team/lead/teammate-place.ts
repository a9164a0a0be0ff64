// Where the hands of a new teammate are to be: on this machine, at the place that somebody chose, or at one of the team's that has room.
import type { Member, TeamRecord } from "../../board/team-record.ts";
import { freePlace, type PlaceRoom } from "../../places/free-place.ts";
import type { StatusOf } from "../member-files.ts";

/** `wanted`: its hands stay there. The reason completes the sentence that it cannot start. */
export type TeammatePlace = { ok: true; place?: string; moves?: true } | { ok: false; reason: string };

type Order = { wanted: string | undefined; places: readonly PlaceRoom[]; statusOf: StatusOf };

export function placeForTeammate(record: TeamRecord, { wanted, places, statusOf }: Order): TeammatePlace {
  if (wanted === undefined && places.length === 0) return { ok: true };
  const occupied = placesInUse(record.members, statusOf);
  const among = wanted === undefined ? places : places.filter(({ name }) => name === wanted);
  if (wanted !== undefined && among.length === 0) return { ok: true, place: wanted }; // the person's own word, and no place of the list
  const free = freePlace(among, { ...occupied, left: [] });
  if (free !== undefined) return { ok: true, place: free, ...(wanted === undefined && { moves: true }) };
  const full = among.map(({ name, at_once }) => `${name} takes ${at_once} at once`).join(", ");
  return { ok: false, reason: `no place has room for its hands: ${full}. Stop a teammate first, or let those that are there do the work.` };
}

/** Where the hands of living members are, and how long they took to start. */
export function placesInUse(
  members: readonly Pick<Member, "name" | "place" | "ended">[],
  statusOf: StatusOf,
): { busy: string[]; startedMs: (place: string) => number | undefined } {
  const hands = members.map((member) => ({ member, facts: statusOf(member.name)?.hands }));
  return {
    busy: hands.flatMap(({ member, facts }) => (member.place === undefined || member.ended ? [] : (facts?.place ?? member.place))),
    startedMs: (place) => hands.findLast(({ facts }) => facts?.place === place && facts.started_ms !== undefined)?.facts?.started_ms,
  };
}
