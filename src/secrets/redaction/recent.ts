// Remembers results for the most recent texts: the same text is checked several times on its way from a file to the provider.

export type Recent<Fact> = { get(text: string): Fact | undefined; put(text: string, fact: Fact): void };

/** Keeps results for this many texts; texts longer than `longest` are not kept. */
export function recent<Fact>({ texts = 32, longest = 256 * 1024 } = {}): Recent<Fact> {
  const facts = new Map<string, Fact>();
  return {
    get: (text) => facts.get(text),
    put(text, fact) {
      if (text.length > longest) return;
      facts.delete(text);
      facts.set(text, fact);
      for (const oldest of facts.keys()) if (facts.size > texts) facts.delete(oldest);
    },
  };
}
