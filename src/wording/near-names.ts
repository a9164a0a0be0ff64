// Existing names that a missing name may have meant.
import { editDistance } from "./edit-distance.ts";

/** At most three, the nearest first: names that differ in case, in the extension, or in a few letters. */
export function nearNames(wanted: string, names: string[]): string[] {
  const near = names.slice(0, 5000).map((name) => ({ name, distance: distance(name, wanted) }));
  return near
    .filter(({ name, distance }) => distance <= wanted.length / 3 || stem(name) === stem(wanted))
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name }) => name);
}

/** Names of very different lengths are not compared. */
const distance = (name: string, wanted: string) =>
  Math.abs(name.length - wanted.length) > 3 ? Number.POSITIVE_INFINITY : editDistance(wanted.toLowerCase(), name.toLowerCase());

const stem = (name: string) => name.toLowerCase().replace(/(.)\.[^.]*$/, "$1");
