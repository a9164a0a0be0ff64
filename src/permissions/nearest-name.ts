// The name that a wrong one was probably meant to be.

/** Undefined when none is near: the same but for case and signs, or at most a third of its letters apart. */
export function nearestName(wanted: string, names: readonly string[]): string | undefined {
  const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  const near = names
    .map((name) => ({ name, distance: distance(plain(wanted), plain(name)) }))
    .filter(({ name, distance }) => distance <= Math.max(1, name.length / 3));
  return near.sort((a, b) => a.distance - b.distance)[0]?.name;
}

/** Letters to insert, remove or replace, and neighbours to swap (Damerau 1964, Levenshtein 1966). */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 5) return Number.POSITIVE_INFINITY;
  let above: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? above[j - 2]! + 1 : Number.POSITIVE_INFINITY;
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1), swapped));
    }
    above = row;
    row = next;
  }
  return row[b.length]!;
}
