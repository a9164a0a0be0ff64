// The placeholders of one session: which text each stands for, and from which files it came. It lives in memory alone: what is replaced
// is on no disk but where it was.

/** `[secret:github-token:1]`: the kind, and a number that no other text of the session has. */
const shape = /\[secret:[a-z0-9-]{1,40}:\d{1,9}\]/g;

export interface PlaceholderBook {
  /** The placeholder of this text; the same text always has the same one. */
  issue(kind: string, text: string): string;
  /** Notes that the placeholders in `text` came from that file. */
  cameFrom(file: string, text: string): void;
  /** The text with the file's own placeholders put back, or those in it that are not the file's. */
  restore(file: string, text: string): { ok: true; text: string } | { ok: false; strangers: string[] };
  isIssued(placeholder: string): boolean;
}

/** `after`: the highest number that the session has used in a former process, so that no old placeholder gets a new meaning. */
export function placeholderBook(after = 0): PlaceholderBook {
  const byText = new Map<string, string>();
  const texts = new Map<string, string>();
  const files = new Map<string, Set<string>>();
  let number = after;
  return {
    issue(kind, text) {
      const known = byText.get(text);
      if (known) return known;
      const placeholder = `[secret:${
        kind
          .toLowerCase()
          .replaceAll(/[^a-z0-9-]+/g, "-")
          .slice(0, 40) || "value"
      }:${++number}]`;
      byText.set(text, placeholder);
      texts.set(placeholder, text);
      return placeholder;
    },
    cameFrom(file, text) {
      const known = files.get(file) ?? new Set();
      for (const placeholder of placeholdersIn(text)) if (texts.has(placeholder)) known.add(placeholder);
      files.set(file, known);
    },
    restore(file, text) {
      const own = files.get(file);
      const strangers = placeholdersIn(text).filter((placeholder) => !own?.has(placeholder));
      if (strangers.length > 0) return { ok: false, strangers: [...new Set(strangers)] };
      return { ok: true, text: text.replaceAll(shape, (placeholder) => texts.get(placeholder)!) };
    },
    isIssued: (placeholder) => texts.has(placeholder),
  };
}

/** Every placeholder in the text, in order, as often as it stands there. */
export function placeholdersIn(text: string): string[] {
  return text.includes("[secret:") ? [...text.matchAll(shape)].map(([placeholder]) => placeholder) : [];
}

/** The highest number of a placeholder in these texts; 0 when there is none. */
export function highestNumber(texts: Iterable<string>): number {
  let highest = 0;
  for (const text of texts)
    for (const placeholder of placeholdersIn(text)) highest = Math.max(highest, Number(/(\d+)\]$/.exec(placeholder)?.[1]));
  return highest;
}
