// Expands a word as the shell will, as far as that is known before it runs. What is not known has no value, and is judged as unknown.
import type { ParameterExpansionPart, SimpleExpansionPart, WordPart, Word as Written } from "unbash";
import type { Word } from "./analysis.ts";
import { expandBraces } from "./brace-expansion.ts";
import { isDecodedAlike, knownWord, literal, madeFolder, safe, temporaryFolder, unknownWord } from "./literal.ts";
import { setByBash, type Variables } from "./variables.ts";

export type ExpansionContext = {
  variables: Variables;
  known: Known;
};

/** All values that a variable can have here. Maps are replaced, never changed, so that states can share them. */
export type Known = ReadonlyMap<string, Value[]>;

const mostLength = 64 * 1024;

/** The words that one written word expands to: brace expansion may make several. A word that is not known has no value. */
export function expand(written: Written, around: ExpansionContext): Word[] {
  const { text } = written;
  if (/^[\w./=+:@%,-]+$/.test(text)) return [knownWord(text, text)];
  const { parts } = written;
  if (around.variables.wordsChange && !parts?.every(isQuoted)) return [unknown(text)];
  if (parts?.some(({ type }) => type === "BraceExpansion")) {
    const words = expandBraces(text);
    return words ? words.filter((value) => value !== "").map(alternative) : [unknown(text)];
  }
  const tilde = tildeOf(text, parts);
  if (tilde === "other") return [unknown(text)];
  const word = parts ? grown(parts, text, around) : knownWord(text, written.value);
  return [tilde === "home" ? { ...word, start: word.value ?? "/", home: true } : word];
}

const unknown = (text: string): Word => ({ ...unknownWord(text, ""), many: true });

/** One of the words that braces expand to. Tildes come after braces. */
function alternative(value: string): Word {
  if (/^~(?!\/|$)|[:=]~/.test(value)) return unknown(value);
  const home = value.startsWith("~") || undefined;
  if (!/[*?]/.test(value)) return { ...literal(value), home };
  return { ...unknownWord(value, /^[^*?]*/.exec(value)![0]), choices: [value], many: true, pattern: true, home };
}

function tildeOf(text: string, parts: readonly WordPart[] | undefined): "none" | "home" | "other" {
  if (!text.startsWith("~")) return "none";
  const first = parts ? (parts[0]?.type === "Literal" ? parts[0].text : "") : text;
  return first.startsWith("~/") || (first === "~" && text === "~") ? "home" : "other";
}

const isQuoted = ({ type }: WordPart) => type === "SingleQuoted" || type === "AnsiCQuoted" || type === "DoubleQuoted";

/** What is known of a word, part by part. `exact`: `start` can still be extended; `inert`: it begins with something that is no dash. */
type Growing = Omit<Word, "text" | "value"> & { exact: boolean; inert: boolean };

function grown(parts: readonly WordPart[], text: string, around: ExpansionContext): Word {
  const growing: Growing = { choices: [""], start: "", exact: true, inert: false };
  for (const part of parts) add(part, { growing, around, quoted: false });
  const { choices, start, many, inert, pattern, home } = growing;
  const known = choices && [...new Set(choices)];
  const word = { ...unknownWord(text, home ? "/" : inert && start === "" ? safe : start), choices: known, many, pattern, home };
  return known?.length === 1 && !pattern ? { ...word, value: known[0], start: known[0]!, many: undefined } : word;
}

type Adding = { growing: Growing; around: ExpansionContext; quoted: boolean };

function add(part: WordPart, { growing, around, quoted }: Adding): void {
  switch (part.type) {
    case "AnsiCQuoted":
    case "Literal":
    case "SingleQuoted":
      if (isDecodedAlike(part)) append(growing, [{ value: part.value }]);
      else appendUnknown(growing, { inert: false, many: false });
      break;
    case "DoubleQuoted":
      for (const child of part.parts) add(child, { growing, around, quoted: true });
      break;
    case "Glob":
      if (/["'$`]/.test(part.text)) appendUnknown(growing, { inert: false, many: true });
      else append(growing, [{ value: part.text, pattern: true }]);
      break;
    case "SimpleExpansion":
    case "ParameterExpansion":
      parameter(part, { growing, around, quoted });
      break;
    case "CommandExpansion":
    case "ArithmeticExpansion": {
      const place = placeBy(part.text, { growing, around });
      if (place) append(growing, [place]);
      else appendUnknown(growing, { inert: false, many: !quoted });
      break;
    }
    case "ProcessSubstitution":
    case "LocaleString":
    case "ExtendedGlob":
    case "BraceExpansion":
      appendUnknown(growing, { inert: part.type === "ProcessSubstitution", many: part.type !== "ProcessSubstitution" });
      break;
  }
}

/** A text, with `pattern` a glob that the shell expands, with `home` a place as in a word with a tilde. */
type Value = { value: string; pattern?: true | undefined; home?: boolean | undefined };

const mostChoices = 64;

function append(word: Growing, values: Value[]): void {
  // Where mktemp failed, what follows is a path of its own; behind another folder's name it is that of a folder beside it.
  const isBeside = values.some(({ value, pattern }) => pattern || value[0] !== "/") && places.some(([, , at]) => at.value === word.start);
  const isMore = word.home && (word.start === madeFolder || isBeside);
  const isGlob = values.some(({ pattern }) => pattern);
  if (values[0]?.home) word.home = true;
  if (word.exact) {
    word.start += commonStart(values.map(({ value, pattern }) => (pattern ? /^[^*?[\\]*/.exec(value)![0] : value)));
    word.inert ||= isGlob && word.start === "" && values.every(({ value }) => !/^[-*?[]/.test(value));
  }
  word.exact &&= values.length === 1 && !isGlob;
  if (isGlob && !word.pattern) {
    word.choices = word.choices?.map(escaped);
    word.pattern = true;
    word.many = true;
  }
  const next = word.pattern ? values.map(({ value, pattern }) => (pattern ? value : escaped(value))) : values.map(({ value }) => value);
  const { choices } = word;
  const longest = (of: string[]) => Math.max(...of.map(({ length }) => length));
  word.choices =
    choices && !isMore && choices.length * next.length <= mostChoices && longest(choices) + longest(next) <= mostLength
      ? choices.flatMap((head) => next.map((tail) => head + tail))
      : undefined;
}

/** As a glob that only matches this text. */
const escaped = (text: string) => text.replaceAll(/[[\]*?\\]/g, "\\$&");

function commonStart(values: string[]): string {
  const [first = ""] = values;
  let length = 0;
  while (length < first.length && values.every((value) => value[length] === first[length])) length++;
  return first.slice(0, length);
}

/** Appends an unknown value. `inert`: it does not begin with a dash; `many`: it may become several words, or none. */
function appendUnknown(word: Growing, { inert, many }: { inert: boolean; many: boolean }): void {
  if (word.exact && word.start === "") word.inert = inert;
  word.choices = undefined;
  word.exact = false;
  word.many ||= many || undefined;
}

function parameter(part: SimpleExpansionPart | ParameterExpansionPart, { growing, around, quoted }: Adding): void {
  const name = part.type === "SimpleExpansion" ? part.text.slice(1) : part.parameter;
  const isPlain = part.type === "SimpleExpansion" || (!part.prefix && !part.index && !part.operation);
  const isNumber = isPlain ? /^[?#$!]$/.test(name) : part.prefix === "#";
  const values = isPlain && !isNumber ? valuesOf(name, around) : undefined;
  const place = placeBy(part.text, { growing, around }) ?? (values?.length === 1 ? values.find(({ home }) => home) : undefined);
  if (place && growing.exact && growing.start === "" && (quoted || place.value !== madeFolder)) append(growing, [place]);
  else if (!values || place || (!quoted && values.some(isSplit)))
    appendUnknown(growing, { inert: isNumber && name !== "!", many: name === "@" || !(quoted || (isNumber && name !== "!")) });
  else append(growing, values);
}

/** The place that an expansion at the beginning of a word stands for, if nothing in the text changes it. */
function placeBy(text: string, { growing, around }: Omit<Adding, "quoted">): Value | undefined {
  const { given, open, moves } = around.variables;
  if (open || !growing.exact || growing.start !== "") return undefined;
  const found = places.find(([form, variable]) => form.test(text) && !given.has(variable) && !(moves && variable === "PWD"));
  return found?.[2];
}

/** Kept under a name for the folder: only the caller knows which it is. */
const places: [form: RegExp, variable: string, place: Value][] = [
  [/^\$(?:HOME|\{HOME\})$/, "HOME", { value: "~", home: true }],
  [/^\$(?:PWD|\{PWD\}|\(pwd\))$/, "PWD", { value: ".", home: true }],
  [/^\$(?:TMPDIR|\{TMPDIR\})$/, "TMPDIR", { value: temporaryFolder, home: true }],
];

/** What a pattern has matched is a name of any text: without quotes it is split, and matched again. */
const isSplit = ({ value, pattern }: Value) => value === "" || pattern === true || /[\s*?[\\]/.test(value);

function valuesOf(name: string, { variables: { open, wordsChange, setAt }, known }: ExpansionContext): Value[] | undefined {
  return open || wordsChange || setAt.get(name) !== 1 || setByBash.test(name) ? undefined : known.get(name);
}

const making = /^"?\$\(mktemp(?: +(?:-[dq]|--directory))*\)"?$/;

/** Adds a variable with the words that it gets, one after another: they count where no other place of the text sets it. */
export function withValues(name: string, words: readonly Written[], around: ExpansionContext): Known {
  const values: Value[] = [];
  const { open, given } = around.variables;
  if (words.length === 1 && making.test(words[0]!.text) && !open && !given.has("TMPDIR"))
    return new Map(around.known).set(name, [{ value: madeFolder, home: true }]);
  for (const word of words)
    for (const { choices, pattern, home } of expand(word, around)) {
      if (!choices || values.length + choices.length > mostChoices) return around.known;
      values.push(...choices.map((value) => ({ value, pattern, home })));
    }
  if (values.length > 1 && values.some(({ home }) => home)) return around.known; // a word is below one home or none
  return new Map(around.known).set(name, values);
}
