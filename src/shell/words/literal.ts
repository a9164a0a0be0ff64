// Makes words: known ones, and those of which only a prefix is. All have the same fields in the same order, which engines read quickly.
import type { WordPart } from "unbash";
import type { Word } from "./analysis.ts";

/** A word whose text is its value. */
export const literal = (value: string): Word => knownWord(value, value);

/** `text` is the word as written. */
export function knownWord(text: string, value: string): Word {
  return { text, start: value, value, choices: [value], many: undefined, pattern: undefined, home: undefined };
}

/** `start` is the known prefix of its value. */
export function unknownWord(text: string, start: string): Word {
  return { text, start, value: undefined, choices: undefined, many: undefined, pattern: undefined, home: undefined };
}

/** Begins an unknown value that cannot be an option, such as a number. */
export const safe = "\uFFFF";

/** The words that xargs appends when it runs. */
export const appended: Word = { ...unknownWord("…", ""), many: true };

/** A name inserted by find when it runs: it begins with the root of the search, so not with a dash. */
export const found: Word = { ...unknownWord("{}", safe), many: true };

/** Used with `home`: the folder named by TMPDIR. No tilde in a command has this name. */
export const temporaryFolder = "~TMPDIR";

/** Used with `home`: what `mktemp` has made, or nothing, where it failed: only the word that is this alone is no other place then. */
export const madeFolder = `${temporaryFolder}/made`;

/** Whether bash makes the same of a part's escapes as the grammar: in `$'…'` of ASCII characters that are written in full. */
export const isDecodedAlike = ({ type, text }: Pick<WordPart, "type" | "text">) =>
  type !== "AnsiCQuoted" ||
  /^\$'(?:[^\\]|\\(?:[abeEfnrtv\\'"]|(?:x|u00)(?!0[01])(?!7[fF])[0-7][\da-fA-F]|(?!00[01]|177)[01][0-7]{2}))*'$/.test(text);
