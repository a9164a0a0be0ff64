// The test commands of a plan as words: which program runs, and which rules would allow them.

/** Undefined if that cannot be seen: the word has quotes. */
export function programOf(test: string): string | undefined {
  const word = words(test).find((one) => !/^\w+=/.test(one));
  return word === undefined || /["']/.test(word) ? undefined : word;
}

/** Few rules that cover them: commands with the same program and first argument share one. */
export function allowsFor(tests: readonly string[]): string[] {
  const groups = new Map<string, string[]>();
  for (const test of tests) {
    const start = words(test).slice(0, 2).join(" ");
    groups.set(start, [...(groups.get(start) ?? []), test]);
  }
  return [...groups].map(([start, [first = "", ...others]]) => (others.length > 0 ? `Bash(${start}:*)` : `Bash(${first})`));
}

const words = (test: string) => test.trim().split(/\s+/);
