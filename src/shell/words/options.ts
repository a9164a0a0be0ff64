// Reads the options of a program as the program itself would, from a line that lists them.
import type { Word } from "./analysis.ts";
import { literal } from "./literal.ts";

/**
 * `-k:` and `--signal=` take a value, `-f@` the name of a file, `-i?` an optional attached value, `-v` and `--foreground` none. `-N` is any
 * digit. `*`: the program has others, of which nothing needs to be known. `+`: all others take no value, unless one is attached.
 */
export type OptionLine = string;

export type Option = { name: string; value?: Word; file?: true };

export type ReadOptions = {
  given: Option[];
  /** Indexes of the words that are not options. */
  operands: number[];
  /** An option is missing from the line or not known, so later words may be misread. */
  unknown: boolean;
};

/** `leading`: options end at the first operand, as in programs that run another one. `exact`: long options are not abbreviated. */
export function readOptions(words: Word[], line: OptionLine, { from = 1, leading = false, exact = false } = {}): ReadOptions {
  const listed = listedOn(line);
  const read: ReadOptions = { given: [], operands: [], unknown: false };
  for (let at = from; at < words.length; at++) {
    const word = words[at]!;
    const text = word.value;
    const [, option] = text === undefined ? (/^(--[\w-]+)=/.exec(word.start) ?? []) : [];
    if (option !== undefined && listed.has(option)) {
      read.given.push({ name: option }); // only its value is not known
      continue;
    }
    if (text === undefined && mayBeOption(word) && !listed.has("*")) read.unknown = true;
    if (text === "--") {
      for (at++; at < words.length; at++) read.operands.push(at);
    } else if (text === undefined || text === "-" || !text.startsWith("-")) {
      read.operands.push(at);
      if (!leading) continue;
      for (at++; at < words.length; at++) read.operands.push(at);
    } else if (text.startsWith("--") || (nameOf(text).length > 2 && listed.has(nameOf(text)))) {
      at = longOption(words, at, { listed, read, exact });
    } else at = cluster(words, at, { listed, read, exact });
  }
  return read;
}

/** By name, without the suffix that says whether it takes a value: "" is none, ":" one, "@" a file, "?" an optional attached one. */
type Listed = Map<string, "" | ":" | "@" | "?">;

/** Parsed option lines. Lines are constants of the tables, so each is parsed once. */
const taken = new Map<OptionLine, Listed>();

function listedOn(line: OptionLine): Listed {
  const known = taken.get(line);
  if (known) return known;
  const listed: Listed = new Map();
  for (const one of line.split(" ").filter(Boolean)) {
    const [, name = "", sign = ""] = /^(.+?)([=:?@]?)$/.exec(one)!;
    if (!listed.has(name)) listed.set(name, sign === "=" ? ":" : (sign as "" | ":" | "@" | "?"));
  }
  taken.set(line, listed);
  return listed;
}

/** Whether a word with an unknown value may be an option. */
export function mayBeOption({ value, start }: Word): boolean {
  return value === undefined ? start === "" || start.startsWith("-") : value.startsWith("-") && value !== "-";
}

type Reading = { listed: Listed; read: ReadOptions; exact: boolean };

const nameOf = (text: string): string => text.split("=", 1)[0]!;

function longOption(words: Word[], at: number, { listed, read, exact }: Reading): number {
  const text = words[at]!.value!;
  const name = nameOf(text);
  const attached = text.length > name.length ? text.slice(name.length + 1) : undefined;
  const isThis = (each: string) => each.startsWith("--") && each.startsWith(name);
  const full = listed.has(name) || exact ? (listed.has(name) ? name : undefined) : [...listed.keys()].find(isThis);
  if (full === undefined && !listed.has("*") && (attached !== undefined || !listed.has("+"))) read.unknown = true;
  const sign = full === undefined ? undefined : listed.get(full);
  const takes = sign === ":" || sign === "@";
  const value = attached !== undefined ? literal(attached) : takes ? following(words[at + 1], read) : undefined;
  read.given.push({ name: full ?? name, ...(value && { value }), ...(sign === "@" && { file: true }) });
  return takes && attached === undefined ? at + 1 : at;
}

/** The value of an option. If it may become several words, those behind the first are something else. */
function following(word: Word | undefined, read: ReadOptions): Word | undefined {
  if (word?.many) read.unknown = true;
  return word;
}

function cluster(words: Word[], at: number, { listed, read }: Reading): number {
  const text = words[at]!.value!;
  if (/^-\d+\D/.test(text) && !listed.has(text.slice(0, 2))) read.unknown = true; // `tail -5c file` is an older form, with rules of its own
  for (let index = 1; index < text.length; index++) {
    const name = `-${text[index]}`;
    const sign = listed.get(name);
    if (sign === undefined) {
      if (!(/^\d$/.test(text[index]!) && listed.has("-N")) && !listed.has("*") && !listed.has("+")) read.unknown = true;
      read.given.push({ name });
    } else if (sign === ":" || sign === "@") {
      const attached = text.slice(index + 1);
      const value = attached ? literal(attached) : following(words[at + 1], read);
      read.given.push({ name, ...(value && { value }), ...(sign === "@" && { file: true }) });
      return attached ? at : at + 1;
    } else if (sign === "?") {
      read.given.push({ name, value: literal(text.slice(index + 1)) });
      return at;
    } else read.given.push({ name });
  }
  return at;
}

/** Whether an option as given may be this letter or name: `-xf` may be `-f`, `--rec` also `-r`. In doubt, a letter counts in any group. */
export function mayMean(given: string, wanted: string): boolean {
  const name = nameOf(given);
  if (name === wanted) return true;
  const isLong = wanted.startsWith("--");
  if (name.startsWith("--")) {
    const longs = isLong ? [wanted.slice(2)] : (longNames.get(wanted.slice(1)) ?? []);
    return name.length > 3 && longs.some((long) => long.startsWith(name.slice(2)));
  }
  const [, group = ""] = /^-([A-Za-z0-9:#@?]*)/.exec(given)!;
  const letters = isLong ? [...longNames].flatMap(([letter, longs]) => (longs.includes(wanted.slice(2)) ? letter : [])) : [wanted.slice(1)];
  return letters.some((letter) => group.includes(letter) || (letter === "r" && group.includes("R")));
}

/** The usual long names of short options, which stand before them. */
const longNames = new Map(
  [
    "a all, c command call, d delete decode, D delete, e eval expression execute exec, f force file follow, g global, i in-place interactive",
    "m message, o output, p print publish, q quiet, r recursive require, R recursive, s silent, u set-upstream, v verbose, x exec extract, y yes",
  ].flatMap((line) => line.split(", ").map((row) => [row.charAt(0), row.split(" ").slice(1)] as const)),
);
