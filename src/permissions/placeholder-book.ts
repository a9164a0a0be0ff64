// The placeholders of one session: which text each stands for, and from which files it came. It lives in memory alone: what is replaced
// is on no disk but where it was.

/** `[secret:github-token:1]`: the kind, and a number that no other text of the session has. */
const shape = /\[secret:[a-z0-9-]{1,40}:\d{1,9}\]/g;

export interface PlaceholderBook {
  /** The placeholder of this text; the same text always has the same one. */
  issue(kind: string, text: string): string;
  /** Notes that the placeholders in `text` came from that file, in which texts are encoded so. */
  cameFrom(file: string, text: string, encoding: Encoding): void;
  /** The bytes with what stood in the file in the place of its own placeholders, or those in it that are not the file's. */
  restore(file: string, bytes: Buffer): { ok: true; bytes: Buffer } | { ok: false; strangers: string[] };
  isIssued(placeholder: string): boolean;
}

/** Files that are no UTF-8 are read byte by byte. */
export type Encoding = "utf8" | "latin1";

/** `after`: the highest number that the session has used in a former process, so that no old placeholder gets a new meaning. */
export function placeholderBook(after = 0): PlaceholderBook {
  const byText = new Map<string, string>();
  const texts = new Map<string, string>();
  const files = new Map<string, Map<string, Encoding>>();
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
    cameFrom(file, text, encoding) {
      const known = files.get(file) ?? new Map<string, Encoding>();
      for (const placeholder of placeholdersIn(text)) if (texts.has(placeholder)) known.set(placeholder, encoding);
      files.set(file, known);
    },
    restore(file, bytes) {
      const own = files.get(file);
      const text = bytes.toString("latin1"); // one character for each byte, so that what is around stays as it is
      const strangers = placeholdersIn(text).filter((placeholder) => !own?.has(placeholder));
      if (strangers.length > 0) return { ok: false, strangers: [...new Set(strangers)] };
      const original = (placeholder: string) => Buffer.from(texts.get(placeholder)!, own!.get(placeholder)).toString("latin1");
      return { ok: true, bytes: Buffer.from(text.replaceAll(shape, original), "latin1") };
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
