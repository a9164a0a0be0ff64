// Parses the test commands of a plan: the program of each, and the rules that would allow them.

/** The program; undefined if the word is quoted, because it cannot be known without a shell. */
export function programOf(test: string): string | undefined {
  const word = words(test).find((one) => !/^\w+=/.test(one));
  return word === undefined || /["']/.test(word) ? undefined : word;
}

/** A short list of rules that covers the commands: commands with the same program and first argument share one. */
export function allowsFor(tests: readonly string[]): string[] {
  const groups = new Map<string, string[]>();
  for (const test of tests) {
    const start = words(test).slice(0, 2).join(" ");
    groups.set(start, [...(groups.get(start) ?? []), test]);
  }
  return [...groups].map(([start, [first = "", ...others]]) => (others.length > 0 ? `Bash(${start}:*)` : `Bash(${first})`));
}

const words = (test: string) => test.trim().split(/\s+/);
