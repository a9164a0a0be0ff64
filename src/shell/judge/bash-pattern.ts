// Parses the text in the parentheses of a rule Bash(…), and says which simple commands it covers.
import type { SimpleCommand, Word } from "../words/analysis.ts";
import { withoutPlace } from "../words/invocation.ts";
import { misleading } from "../words/misleading.ts";

/**
 * `any`: `Bash` and `Bash(*)`. `text`: the rule as written. `exact`: the whole text or one whole simple command, as written. `words`:
 * exactly these words, alone or followed by others. `mask`: `*` matches any characters inside one simple command; `words` are those before
 * the first `*`.
 */
export type BashPattern =
  | { kind: "any" }
  | { kind: "exact"; text: string; words: string[] }
  | { kind: "words"; text: string; words: string[] }
  | { kind: "mask"; text: string; mask: string; words: string[] };

export type ParsedPattern = { ok: true; pattern: BashPattern } | { ok: false; reason: string };

/** A pattern that could cover nothing is an error, whose reason continues a sentence: a deny rule that never applies is worse than none. */
export function parseBashPattern(inner: string): ParsedPattern {
  const text = inner.trim();
  if (text === "") return { ok: false, reason: "the parentheses are empty" };
  if (misleading.test(text)) return { ok: false, reason: "it contains invisible or misleading characters, so it would cover no command" };
  if (/^[*\s]+$/.test(text)) return { ok: true, pattern: { kind: "any" } };
  const star = text.endsWith(":*") ? 2 : /\s\*$/.test(text) ? 1 : 0;
  const prefix = star === 0 ? undefined : text.slice(0, -star).trim();
  if (prefix === "") return { ok: false, reason: 'there is no program before the "*"' };
  if (prefix !== undefined && !prefix.includes("*") && !/[;|&<>`\n]/.test(prefix))
    return { ok: true, pattern: { kind: "words", text, words: wordsOf(prefix) } };
  if (!/(?<!\\)\*/.test(text)) {
    const plain = text.replaceAll("\\*", "*"); // an escaped star is one
    return { ok: true, pattern: { kind: "exact", text: plain, words: wordsOf(plain) } };
  }
  const mask = prefix === undefined ? text : `${prefix} *`;
  return { ok: true, pattern: { kind: "mask", text, mask, words: wordsOf(/^(.*\s)?/s.exec(mask.slice(0, mask.indexOf("*")))![0]) } };
}

/** Splits a rule at whitespace and removes quotes. */
function wordsOf(text: string): string[] {
  return (text.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+|['"]/g) ?? []).map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, "$1$2"));
}

/** Whether an allow rule covers the command: the program it names, used as its words say. */
export function covers(pattern: BashPattern, command: Pick<SimpleCommand, "words" | "text">): boolean {
  const { words, text } = command;
  const program = pattern.kind === "words" || pattern.kind === "mask" ? pattern.words[0] : undefined;
  if (program !== undefined && program !== words[0]?.value) return false; // most rules of a long list are about other programs
  switch (pattern.kind) {
    case "any":
      return true;
    case "exact":
      return words.every(({ value }) => value !== undefined) && isWritten(pattern.text, command);
    case "words":
      return [words, withoutPlace(words)].some((each) => pattern.words.every((word, index) => each[index]?.value === word));
    case "mask":
      return [words, withoutPlace(words)].some((each) => fitsMask(pattern.mask, canonical(each))) || fitsMask(pattern.mask, text.trim());
  }
}

/** Whether the rule is the literal text of the command, so that a `*` in it is a star. `known`: the shell expands none of the words. */
export function isExactly(pattern: BashPattern, { text, known }: { text: string; known: boolean }): boolean {
  return known && pattern.kind !== "any" && pattern.text === text;
}

/** Whether this is the text of the command, with or without its assignments and redirections. */
export function isWritten(wanted: string, { words, text }: Pick<SimpleCommand, "words" | "text">): boolean {
  if (text.trim() === wanted) return true;
  return wanted.startsWith(words[0]?.text ?? "") && words.map((word) => word.text).join(" ") === wanted;
}

/** Stands for text that only a `*` can match: a character that no rule contains. */
export const hidden = "\uE000";

/** The words joined by spaces. Spaces inside a word and unknown words become `hidden`. */
function canonical(words: Word[]): string {
  return words.map(({ value }) => (value === undefined ? hidden : value.replaceAll(/\s/g, hidden))).join(" ");
}

/** Whether a mask with shell operators fits the whole text. For deny rules: an allow rule never covers more than one simple command. */
export function spans(pattern: BashPattern, text: string): boolean {
  return pattern.kind === "mask" && /[;|&<>`\n]/.test(pattern.mask) && fitsMask(pattern.mask, text.trim().replaceAll(/[ \t]+/g, " "));
}

/** The words to look for when a rule is applied to a text that cannot be parsed. */
export function looseWords(pattern: BashPattern): string[] | undefined {
  if (pattern.kind === "any") return [];
  const words = pattern.words.filter((word) => !word.startsWith("-"));
  return words.length > 0 ? words : undefined;
}

/** A run of whitespace in the mask matches one space. */
export function fitsMask(mask: string, text: string): boolean {
  const [first = "", ...others] = mask.split(/\*+/).map((part) => part.replaceAll(/\s+/g, " "));
  const last = others.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  // The earliest match leaves the most text for the parts that follow.
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return at <= end;
}
