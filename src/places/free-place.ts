// Where hands of many agents work: places of the person's, each with room for some at once.
import { z } from "zod";

export const placeRoomSchema = z.object({ name: z.string(), at_once: z.number() });
export type PlaceRoom = z.infer<typeof placeRoomSchema>;

/** `busy`: the places of hands that are there now. `left`: not to be tried. `startedMs`: how long hands took to start there. */
export type Occupied = { busy: readonly string[]; left: readonly string[]; startedMs: (place: string) => number | undefined };

/** Of those with room, the one that takes most at once, then the one that starts fastest; undefined if there is none. */
export function freePlace(places: readonly PlaceRoom[], { busy, left, startedMs }: Occupied): string | undefined {
  const free = places.filter(({ name, at_once }) => !left.includes(name) && busy.filter((one) => one === name).length < at_once);
  const slow = (name: string) => startedMs(name) ?? Number.POSITIVE_INFINITY;
  const [best] = free.toSorted((a, b) => b.at_once - a.at_once || (slow(a.name) < slow(b.name) ? -1 : 1));
  return best?.name;
}
