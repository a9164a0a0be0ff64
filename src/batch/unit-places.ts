// Where the hands of a batch's units work: places of the person's, each with room for some at once.
import { z } from "zod";

export const batchPlaceSchema = z.object({ name: z.string(), at_once: z.number() });
export type BatchPlace = z.infer<typeof batchPlaceSchema>;

/**
 * The place with the most room; undefined for the person's own machine. `busy`: the places of the units that run. `left`: where the unit's hands
 * died, which are not tried again.
 */
export function placeFor(places: readonly BatchPlace[], busy: readonly string[], left: readonly string[]): string | undefined {
  const withRoom = places
    .filter(({ name }) => !left.includes(name))
    .map(({ name, at_once }) => ({ name, room: at_once - busy.filter((one) => one === name).length }))
    .filter(({ room }) => room > 0);
  return withRoom.toSorted((a, b) => b.room - a.room)[0]?.name;
}
