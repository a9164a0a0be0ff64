// Makes words that are known, or of which only the prefix is. All have the same fields in the same order, so that engines read them
// quickly.
import type { Word } from "./analysis.ts";

/** A word whose text is its value. */
export const literal = (value: string): Word => knownWord(value, value);

/** Fields that only words with expansions use. */
const notSplit = {
  many: undefined,
  pattern: undefined,
  patterns: undefined,
  place: undefined,
  home: undefined,
  job: undefined,
} as const;

/** `text` is the word as written. */
export function knownWord(text: string, value: string): Word {
  return {
    text,
    start: value,
    value,
    choices: [value],
    ...notSplit,
  };
}

/** `start` is the known prefix of its value. */
export function unknownWord(text: string, start: string): Word {
  return {
    text,
    start,
    value: undefined,
    choices: undefined,
    ...notSplit,
  };
}

/** Used with `home`: the folder named by TMPDIR. No tilde in a command has this name. */
export const temporaryFolder = "~TMPDIR";
