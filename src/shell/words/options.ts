// Reads the options of a program as the program itself would, from a line that lists them.
import type { Word } from "./analysis.ts";
import { literal } from "./literal.ts";

/** `-k:` and `--signal=` take a value, `-i?` takes an optional attached one, `-v` and `--foreground` take none. */
export type OptionLine = string;

export type Option = { name: string; value?: Word };

export type ReadOptions = {
  given: Option[];
  /** Indexes of the words that are not options. */
  operands: number[];
  /** An option is missing from the line or not known, so later words may be misread. */
  unknown: boolean;
};

/** `leading`: options end at the first operand, as in programs that run another one. */
export function readOptions(words: Word[], line: OptionLine, { from = 1, leading = false } = {}): ReadOptions {
  const listed = listedOn(line);
  const read: ReadOptions = { given: [], operands: [], unknown: false };
  for (let at = from; at < words.length; at++) {
    const word = words[at]!;
    const text = word.value;
    if (text === undefined && mayBeOption(word)) read.unknown = true;
    if (text === "--") {
      for (at++; at < words.length; at++) read.operands.push(at);
    } else if (text === undefined || text === "-" || !text.startsWith("-")) {
      read.operands.push(at);
      if (!leading) continue;
      for (at++; at < words.length; at++) read.operands.push(at);
    } else if (text.startsWith("--") || isLongWithOneDash(text, listed)) {
      at = longOption(words, at, { listed, read });
    } else at = cluster(words, at, { listed, read });
  }
  return read;
}

/** By name, without the suffix that says whether it takes a value: "" is none, ":" one, "?" an optional attached one. */
type Listed = Map<string, "" | ":" | "?">;

/** Parsed option lines. Lines are constants of the tables, so each is parsed once. */
const taken = new Map<OptionLine, Listed>();

function listedOn(line: OptionLine): Listed {
  const known = taken.get(line);
  if (known) return known;
  const listed: Listed = new Map();
  for (const one of line.split(" ").filter(Boolean)) {
    const [, name = "", sign = ""] = /^(.+?)([=:?]?)$/.exec(one)!;
    if (!listed.has(name)) listed.set(name, sign === "?" ? "?" : sign === "" ? "" : ":");
  }
  taken.set(line, listed);
  return listed;
}

/** Whether a word with an unknown value may be an option. */
export function mayBeOption({ value, start }: Word): boolean {
  return value === undefined ? start === "" || start.startsWith("-") : value.startsWith("-") && value !== "-";
}

type Reading = { listed: Listed; read: ReadOptions };

/** Whether the line lists it as a long option with one dash (`-exec`). */
function isLongWithOneDash(text: string, listed: Listed): boolean {
  const name = nameOf(text);
  return name.length > 2 && listed.has(name);
}

/** The name without an attached value. */
function nameOf(text: string): string {
  const end = text.indexOf("=");
  return end === -1 ? text : text.slice(0, end);
}

function longOption(words: Word[], at: number, { listed, read }: Reading): number {
  const text = words[at]!.value!;
  const name = nameOf(text);
  const attached = text.length > name.length ? text.slice(name.length + 1) : undefined;
  // Long options may be abbreviated.
  const full = listed.has(name) ? name : [...listed.keys()].find((each) => each.startsWith("--") && each.startsWith(name));
  if (full === undefined) read.unknown = true;
  const takes = full !== undefined && listed.get(full) === ":";
  if (attached !== undefined) read.given.push({ name: full ?? name, value: literal(attached) });
  else if (takes) read.given.push({ name: full, value: words[at + 1] });
  else read.given.push({ name: full ?? name });
  return takes && attached === undefined ? at + 1 : at;
}

function cluster(words: Word[], at: number, { listed, read }: Reading): number {
  const text = words[at]!.value!;
  for (let index = 1; index < text.length; index++) {
    const name = `-${text[index]}`;
    const sign = listed.get(name);
    if (sign === undefined) {
      if (!(/^\d$/.test(text[index]!) && listed.has("-N"))) read.unknown = true;
      read.given.push({ name });
    } else if (sign === ":") {
      const attached = text.slice(index + 1);
      const next = words[at + 1];
      read.given.push({ name, value: attached ? literal(attached) : next });
      return attached ? at : at + 1;
    } else if (sign === "?") {
      read.given.push({ name, value: literal(text.slice(index + 1)) });
      return at;
    } else read.given.push({ name });
  }
  return at;
}
