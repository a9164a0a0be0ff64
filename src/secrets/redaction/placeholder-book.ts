// The placeholders of one session: the text that each stands for, and the files it came from. Kept only in memory, so that no secret is
// copied to disk.

/** `[secret:github-token:1]`: the kind, and a number that is unique in the session. */
export const placeholderShape = /\[secret:[a-z0-9-]{1,40}:\d{1,9}\]/g;

export interface PlaceholderBook {
  /** The placeholder of this text; the same text always gets the same one. */
  issue(kind: string, text: string): string;
  /** Records that the placeholders in `text` came from that file, and how the file is encoded. */
  cameFrom(file: string, text: string, encoding: Encoding): void;
  /** Replaces the file's own placeholders in the bytes by the original text. */
  restore(file: string, bytes: Buffer): Restored;
  /** Whether it stands for a secret of this session, including earlier processes of it. */
  isOwn(placeholder: string): boolean;
  /** Records that it is ordinary text, so that it never becomes the placeholder of a secret. */
  leave(placeholder: string): void;
}

/**
 * `strangers`: placeholders in it that do not belong to the file. `broken`: one of the file's placeholders, of which only a part is left.
 */
export type Restored = { ok: true; bytes: Buffer } | { ok: false; strangers: string[] } | { ok: false; broken: string };

/** `loose`: text that the file already contained and that looks like part of a placeholder. */
type FileRecord = { encodings: Map<string, Encoding>; loose: Set<string> };

/** Files that are not UTF-8 are read byte by byte. */
export type Encoding = "utf8" | "latin1";

/** `after`: the highest number that an earlier process of the session used, so that no old placeholder gets a new meaning. */
export function placeholderBook(after = 0): PlaceholderBook {
  const byText = new Map<string, string>();
  const texts = new Map<string, string>();
  const files = new Map<string, FileRecord>();
  const left = new Set<string>();
  const isOwn = (placeholder: string) => texts.has(placeholder) || (!left.has(placeholder) && numberOf(placeholder) <= after);
  let number = after;
  return {
    issue(kind, text) {
      const known = byText.get(text);
      if (known) return known;
      const name =
        kind
          .toLowerCase()
          .replaceAll(/[^a-z0-9-]+/g, "-")
          .slice(0, 40) || "value";
      do number++;
      while (left.has(`[secret:${name}:${number}]`));
      const placeholder = `[secret:${name}:${number}]`;
      byText.set(text, placeholder);
      texts.set(placeholder, text);
      return placeholder;
    },
    cameFrom(file, text, encoding) {
      const known = files.get(file) ?? { encodings: new Map(), loose: new Set() };
      for (const placeholder of placeholdersIn(text)) if (texts.has(placeholder)) known.encodings.set(placeholder, encoding);
      for (const { piece } of loosePieces(text, known.encodings.keys())) known.loose.add(piece);
      files.set(file, known);
    },
    restore(file, bytes) {
      const own = files.get(file);
      if (!own && !bytes.includes("[secret:")) return { ok: true, bytes };
      const text = bytes.toString("latin1"); // one character per byte, so that the other bytes stay unchanged
      const strangers = placeholdersIn(text).filter((placeholder) => isOwn(placeholder) && !own?.encodings.has(placeholder));
      if (strangers.length > 0) return { ok: false, strangers: [...new Set(strangers)] };
      const lost = own && loosePieces(text, own.encodings.keys()).find(({ piece }) => !own.loose.has(piece));
      if (lost) return { ok: false, broken: lost.placeholder };
      const original = (placeholder: string) =>
        isOwn(placeholder) ? Buffer.from(texts.get(placeholder)!, own!.encodings.get(placeholder)).toString("latin1") : placeholder;
      return { ok: true, bytes: Buffer.from(text.replaceAll(placeholderShape, original), "latin1") };
    },
    isOwn,
    leave: (placeholder) => void left.add(placeholder),
  };
}

/** Beginnings and ends of these placeholders in the text, outside whole placeholders. */
function loosePieces(text: string, placeholders: Iterable<string>): { piece: string; placeholder: string }[] {
  const rest = text.replaceAll(placeholderShape, "\n");
  const heads = new Map<string, string>();
  const byNumber = new Map<string, string>();
  for (const placeholder of placeholders) {
    const colon = placeholder.lastIndexOf(":");
    heads.set(placeholder.slice(0, Math.min(kindStart + 4, colon)), placeholder);
    byNumber.set(placeholder.slice(colon), placeholder);
  }
  const ends = [...rest.matchAll(/:\d{1,9}\]/g)].flatMap(({ 0: number, index }) => {
    const placeholder = byNumber.get(number);
    const piece = placeholder?.slice(Math.max(kindStart - 1, placeholder.length - number.length - 5));
    return placeholder && piece && rest.endsWith(piece, index + number.length) ? [{ piece, placeholder }] : [];
  });
  return [...[...heads].map(([piece, placeholder]) => ({ piece, placeholder })).filter(({ piece }) => rest.includes(piece)), ...ends];
}

const kindStart = "[secret:".length;

/** Every placeholder in the text, in order, with repetitions. */
export function placeholdersIn(text: string): string[] {
  return text.includes("[secret:") ? [...text.matchAll(placeholderShape)].map(([placeholder]) => placeholder) : [];
}

/** The highest placeholder number in these texts; 0 if there is none. */
export function highestNumber(texts: Iterable<string>): number {
  let highest = 0;
  for (const text of texts) for (const placeholder of placeholdersIn(text)) highest = Math.max(highest, numberOf(placeholder));
  return highest;
}

const numberOf = (placeholder: string) => Number(/(\d+)\]$/.exec(placeholder)?.[1]);
