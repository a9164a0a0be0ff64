// A word during expansion: the known part of its value, built up piece by piece.
import type { Word } from "./analysis.ts";
import { knownWord, unknownWord } from "./literal.ts";

export type GrowingWord = {
  /** All values so far; undefined: not known. */
  choices: string[] | undefined;
  start: string;
  /** `start` can still be extended. */
  exact: boolean;
  many: boolean;
  /** It does not begin with a dash, although its beginning is unknown. */
  inert: boolean;
  /** All glob patterns so far. */
  patterns: string[];
  isPattern: boolean;
  /** There are too many patterns. */
  vague: boolean;
  home: boolean;
  /** The part after the folder that it begins with. */
  below: string | undefined;
  job: boolean;
};

export function growingWord(home: boolean): GrowingWord {
  return {
    choices: [""],
    start: "",
    exact: true,
    many: false,
    inert: false,
    patterns: [""],
    isPattern: false,
    vague: false,
    home,
    below: undefined,
    job: false,
  };
}

/** At most this many values are followed at once. */
export const mostChoices = 64;

/** Appends one of these values. */
export function appendValues(word: GrowingWord, values: string[]): void {
  const [value] = values;
  if (values.length === 1 && value !== undefined) {
    if (word.below !== undefined) word.below += value;
    word.choices = word.choices?.map((head) => head + value);
    if (word.exact) word.start += value;
    appendPatterns(word, [asPattern(value)]);
    return;
  }
  word.below = undefined;
  word.choices = word.choices && word.choices.length * values.length <= mostChoices ? cross(word.choices, values) : undefined;
  if (word.exact) word.start += commonStart(values);
  word.exact = false;
  appendPatterns(word, values.map(asPattern));
}

/** Appends one of these patterns. */
export function appendPatterns(word: GrowingWord, patterns: string[]): void {
  if (word.patterns.length * patterns.length > mostChoices) word.vague = true;
  else word.patterns = cross(word.patterns, patterns);
}

export const asPattern = (text: string) => (/[[\]*?\\]/.test(text) ? text.replaceAll(/[[\]*?\\]/g, "\\$&") : text);

const cross = (heads: string[], tails: string[]) => heads.flatMap((head) => tails.map((tail) => head + tail));

/** Appends an unknown value. `inert`: it does not begin with a dash; `many`: it may become several words, or none. */
export function appendUnknown(word: GrowingWord, { inert, many }: { inert: boolean; many: boolean }): void {
  word.below = undefined;
  if (word.exact && word.start === "") word.inert = inert;
  word.choices = undefined;
  word.exact = false;
  word.many ||= many;
}

export function finished(text: string, growing: GrowingWord): Word {
  const { choices, start, many, inert, patterns, isPattern, vague, home, below, job } = growing;
  const begin = inert && start === "" ? safe : start;
  if (below !== undefined && /^(\/|$)/.test(below)) return { ...unknownWord(text, safe), place: `.${below}`, ...(many && { many }) };
  if (job && start === "" && isLastJob.test(text)) return { ...unknownWord(text, safe), job, ...(many && { many }) };
  const [pattern] = patterns;
  const ofNames = choices && !vague && { pattern, ...(patterns.length > 1 && { patterns }) };
  if (isPattern) return { ...unknownWord(text, begin), many: true, ...ofNames, ...(home && { home }) };
  const known = choices && (choices.length === 1 ? choices : [...new Set(choices)]);
  if (!known) return { ...unknownWord(text, home ? "/" : begin), ...(many && { many }) };
  if (known.length > 1) return { ...unknownWord(text, commonStart(known)), choices: known, ...(many && { many }) };
  const word = knownWord(text, known[0]!);
  if (home) word.home = true;
  return word;
}

/** The variable is the whole word. */
const isLastJob = /^"?\$(?:!|\w+|\{\w+\})"?$/;

/** Begins an unknown value that cannot be an option, such as a number. */
export const safe = "\uFFFF";

export function commonStart(values: string[]): string {
  const [first = ""] = values;
  let length = 0;
  while (length < first.length && values.every((value) => value[length] === first[length])) length++;
  return first.slice(0, length);
}
