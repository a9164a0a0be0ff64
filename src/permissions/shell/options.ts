// The options of a program, read as the program itself would, from a line that lists the ones it has.
import type { Word } from "./analysis.ts";
import { literal } from "./literal.ts";

/** `-k:` and `--signal=` take a value, `-i?` an attached one or none, `-v` and `--foreground` take none. */
export type OptionLine = string;

export type Option = { name: string; value?: Word };

export type ReadOptions = {
  given: Option[];
  /** Places of the words that are no options. */
  operands: number[];
  /** Something was met that is not on the line or not known, so what follows may be understood wrongly. */
  unknown: boolean;
};

/** `leading`: options end at the first operand, as with programs that run another one. */
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
    } else if (text.startsWith("--") || listed.some((one) => sameName(one, text))) {
      at = longOption(words, at, { listed, read });
    } else at = cluster(words, at, { listed, read });
  }
  return read;
}

/** Lines are constants of the tables, so each is taken apart once. */
const taken = new Map<OptionLine, string[]>();

function listedOn(line: OptionLine): string[] {
  const known = taken.get(line) ?? line.split(" ").filter(Boolean);
  taken.set(line, known);
  return known;
}

/** Whether a word whose value is not known may turn out to be an option. */
export function mayBeOption({ value, start }: Word): boolean {
  return value === undefined ? start === "" || start.startsWith("-") : value.startsWith("-") && value !== "-";
}

type Reading = { listed: string[]; read: ReadOptions };

/** A long option with one dash (`-exec`) counts as one when it is on the line. */
const sameName = (one: string, text: string) =>
  one.length > 3 && !one.startsWith("--") && one.replace(/[=:?]$/, "") === text.replace(/=.*/s, "");

function longOption(words: Word[], at: number, { listed, read }: Reading): number {
  const text = words[at]!.value!;
  const name = text.replace(/=.*/s, "");
  const attached = text.length > name.length ? text.slice(name.length + 1) : undefined;
  const bare = (one: string) => one.replace(/[=:?]$/, "");
  const fits = listed.filter((one) => bare(one) === name);
  // Long options may be cut short.
  const [one] = fits.length > 0 ? fits : listed.filter((each) => each.startsWith("--") && each.startsWith(name));
  if (!one) read.unknown = true;
  const takes = one !== undefined && /[=:]$/.test(one);
  if (attached !== undefined) read.given.push({ name: one ? bare(one) : name, value: literal(attached) });
  else if (takes) read.given.push({ name: bare(one), ...(words[at + 1] && { value: words[at + 1] }) });
  else read.given.push({ name: one ? bare(one) : name });
  return takes && attached === undefined ? at + 1 : at;
}

function cluster(words: Word[], at: number, { listed, read }: Reading): number {
  const text = words[at]!.value!;
  for (let index = 1; index < text.length; index++) {
    const name = `-${text[index]}`;
    const one = listed.find((each) => each.replace(/[:?]$/, "") === name);
    if (!one) {
      if (!(/^\d$/.test(text[index]!) && listed.includes("-N"))) read.unknown = true;
      read.given.push({ name });
    } else if (one.endsWith(":")) {
      const attached = text.slice(index + 1);
      const next = words[at + 1];
      read.given.push({ name, ...(attached ? { value: literal(attached) } : next && { value: next }) });
      return attached ? at : at + 1;
    } else if (one.endsWith("?")) {
      read.given.push({ name, value: literal(text.slice(index + 1)) });
      return at;
    } else read.given.push({ name });
  }
  return at;
}
