// The name that a wrong one was probably meant to be.
import { editDistance } from "./edit-distance.ts";

/** Undefined if none is near: equal except for case and punctuation, or with at most a third of the letters different. */
export function nearestName(wanted: string, names: readonly string[]): string | undefined {
  const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  const near = names
    .filter((name) => Math.abs(plain(name).length - plain(wanted).length) <= 5)
    .map((name) => ({ name, distance: editDistance(plain(wanted), plain(name)) }))
    .filter(({ name, distance }) => distance <= Math.max(1, name.length / 3));
  return near.sort((a, b) => a.distance - b.distance)[0]?.name;
}
