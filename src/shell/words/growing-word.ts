// A word while it is put together: what is known so far of its value, part by part.
import type { Word } from "./analysis.ts";
import { knownWord, unknownWord } from "./literal.ts";

export type GrowingWord = {
  /** All values that it can have so far; absent: they are not known. */
  choices: string[] | undefined;
  start: string;
  /** `start` may still grow. */
  exact: boolean;
  many: boolean;
  /** It begins with no dash, though it is not known with what. */
  inert: boolean;
  /** All that it can be so far, as patterns. */
  patterns: string[];
  isPattern: boolean;
  /** The names that fit the pattern are split. */
  splits: boolean;
  /** There are too many of them. */
  vague: boolean;
  home: boolean;
  /** What stands behind the name of the folder that it begins with. */
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
    splits: false,
    vague: false,
    home,
    below: undefined,
    job: false,
  };
}

/** At most so many values are followed at once. */
export const mostChoices = 64;

/** Continues with one of these. */
export function append(word: GrowingWord, values: string[]): void {
  const [value] = values;
  if (values.length === 1 && value !== undefined) {
    if (word.below !== undefined) word.below += value;
    word.choices = word.choices?.map((head) => head + value);
    if (word.exact) word.start += value;
    goOn(word, [asPattern(value)]);
    return;
  }
  word.below = undefined;
  word.choices = word.choices && word.choices.length * values.length <= mostChoices ? cross(word.choices, values) : undefined;
  if (word.exact) word.start += commonStart(values);
  word.exact = false;
  goOn(word, values.map(asPattern));
}

/** Continues with one of these patterns. */
export function goOn(word: GrowingWord, patterns: string[]): void {
  if (word.patterns.length * patterns.length > mostChoices) word.vague = true;
  else word.patterns = cross(word.patterns, patterns);
}

export const asPattern = (text: string) => (/[[\]*?\\]/.test(text) ? text.replaceAll(/[[\]*?\\]/g, "\\$&") : text);

const cross = (heads: string[], tails: string[]) => heads.flatMap((head) => tails.map((tail) => head + tail));

/** Continues with what is not known. `inert`: that begins with no dash; `many`: it may become several words, or none. */
export function lose(word: GrowingWord, { inert, many }: { inert: boolean; many: boolean }): void {
  word.below = undefined;
  if (word.exact && word.start === "") word.inert = inert;
  word.choices = undefined;
  word.exact = false;
  word.many ||= many;
}

export function finished(text: string, growing: GrowingWord): Word {
  const { choices, start, many, inert, patterns, isPattern, splits, vague, home, below, job } = growing;
  const begin = inert && start === "" ? safe : start;
  if (below !== undefined && /^(\/|$)/.test(below)) return { ...unknownWord(text, safe), place: `.${below}`, ...(many && { many }) };
  if (job && start === "" && isLastJob.test(text)) return { ...unknownWord(text, safe), job };
  const [pattern] = patterns;
  const ofNames = choices && !vague && { pattern, ...(patterns.length > 1 && { patterns }), ...(splits && { splits }) };
  if (isPattern) return { ...unknownWord(text, begin), many: true, ...ofNames, ...(home && { home }) };
  const known = choices && (choices.length === 1 ? choices : [...new Set(choices)]);
  if (!known) return { ...unknownWord(text, home ? "/" : begin), ...(many && { many }) };
  if (known.length > 1) return { ...unknownWord(text, commonStart(known)), choices: known, ...(many && { many }) };
  const word = knownWord(text, known[0]!);
  if (home) word.home = true;
  return word;
}

/** Nothing stands beside the name. */
const isLastJob = /^"?\$(?:!|\w+|\{\w+\})"?$/;

/** Stands at the beginning of a value that is not known but is no option: a number. */
export const safe = "\uFFFF";

export function commonStart(values: string[]): string {
  const [first = ""] = values;
  let length = 0;
  while (length < first.length && values.every((value) => value[length] === first[length])) length++;
  return first.slice(0, length);
}
