// Equal lines of a list, said once.

/** In the order of the first of each. */
export function counted(lines: readonly string[]): string[] {
  const times = new Map<string, number>();
  for (const line of lines) times.set(line, (times.get(line) ?? 0) + 1);
  return [...times].map(([line, count]) => (count > 1 ? `${line} (${count} times)` : line));
}
