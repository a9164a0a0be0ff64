// What stands between the brackets of a rule Bash(…), and which simple commands it covers.

/**
 * `any`: `Bash` and `Bash(*)`. `exact`: the whole text or one whole simple command, as written. `words`: these words alone, or followed by
 * further ones. `mask`: a text with `*` for any run of characters inside one simple command.
 */
export type BashPattern =
  | { kind: "any" }
  | { kind: "exact"; text: string; words: string[] }
  | { kind: "words"; words: string[] }
  | { kind: "mask"; text: string };

export type ParsedPattern = { ok: true; pattern: BashPattern } | { ok: false; reason: string };

/** The reason is the second half of a sentence. Never a rule that covers nothing: a deny that is silently void would be worse than none. */
export function parseBashPattern(inner: string): ParsedPattern {
  const text = inner.trim();
  if (text === "") return { ok: false, reason: "there is nothing between the brackets" };
  if (/^\*+$/.test(text)) return { ok: true, pattern: { kind: "any" } };
  const prefix = /^(.*?)(?::\*| +\*)$/s.exec(text)?.[1]?.trim();
  if (prefix === "") return { ok: false, reason: 'there is no program before the "*"' };
  if (prefix !== undefined && !prefix.includes("*")) return { ok: true, pattern: { kind: "words", words: prefix.split(/\s+/) } };
  if (text.includes("*")) return { ok: true, pattern: { kind: "mask", text } };
  return { ok: true, pattern: { kind: "exact", text, words: text.split(/\s+/) } };
}
