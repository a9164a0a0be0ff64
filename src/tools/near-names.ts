// Names that a missing name may have meant.

/** At most three, the nearest first: the same but for case, another ending, or a few letters apart. */
export function nearNames(wanted: string, names: string[]): string[] {
  const near = names.slice(0, 5000).map((name) => ({ name, distance: distance(wanted.toLowerCase(), name.toLowerCase()) }));
  return near
    .filter(({ name, distance }) => distance <= wanted.length / 3 || stem(name) === stem(wanted))
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name }) => name);
}

const stem = (name: string) => name.toLowerCase().replace(/(.)\.[^.]*$/, "$1");

/** Letters to insert, remove or replace (Levenshtein 1966); names of very different length are not compared. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 3) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length]!;
}
