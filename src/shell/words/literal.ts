// Words that are known, or of which only the beginning is. All have the same fields in the same order, which makes them quick to read.
import type { Word } from "./analysis.ts";

/** A word that stands for itself, whoever wrote it. */
export const literal = (value: string): Word => knownWord(value, value);

/** What only words with expansions have. */
const notSplit = {
  many: undefined,
  pattern: undefined,
  patterns: undefined,
  place: undefined,
  listed: undefined,
  splits: undefined,
  home: undefined,
  job: undefined,
} as const;

/** `text` is how it is written. */
export function knownWord(text: string, value: string): Word {
  return {
    text,
    start: value,
    value,
    choices: [value],
    ...notSplit,
  };
}

/** `start` is how its value begins for certain. */
export function unknownWord(text: string, start: string): Word {
  return {
    text,
    start,
    value: undefined,
    choices: undefined,
    ...notSplit,
  };
}

/** Behind `home`, which no written tilde with a name ever has: the folder that TMPDIR names. */
export const temporaryFolder = "~TMPDIR";
