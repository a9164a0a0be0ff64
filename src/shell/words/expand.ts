// Expands a word as the shell will, as far as that is known before it runs.
import type { ParameterExpansionPart, SimpleExpansionPart, WordPart, Word as Written } from "unbash";
import type { Word } from "./analysis.ts";
import { expandBraces } from "./brace-expansion.ts";
import {
  appendPatterns,
  appendUnknown,
  appendValues,
  asPattern,
  commonStart,
  finished,
  type GrowingWord,
  growingWord,
  mostChoices,
  safe,
} from "./growing-word.ts";
import { knownWord, literal, temporaryFolder, unknownWord } from "./literal.ts";
import { numeric, type Variables } from "./variables.ts";

export type ExpansionContext = {
  variables: Variables;
  /** Variables that this text has certainly set by now. */
  definite: ReadonlySet<string>;
};

/** The words that one written word expands to: brace expansion may make several. A word that is not known has no value. */
export function expand(written: Written, around: ExpansionContext): Word[] {
  const { text } = written;
  if (around.variables.wordsChange && !written.parts?.every(isQuoted) && !/^[\w./=+:@%,-]*$/.test(text)) return [unknown(text)];
  if (written.parts?.some(({ type }) => type === "BraceExpansion")) {
    const words = expandBraces(text);
    return words ? words.filter((value) => value !== "").map(alternative) : [unknown(text)];
  }
  return [oneWord(written, around)];
}

/** One of the words that braces expand to. Tildes come after braces. */
function alternative(value: string): Word {
  if (/^~(?!\/|$)|[:=]~/.test(value)) return unknown(value);
  const word = /[*?]/.test(value) ? namesLike(value) : literal(value);
  if (value.startsWith("~")) word.home = true;
  return word;
}

const namesLike = (pattern: string): Word => ({ ...unknownWord(pattern, /^[^*?]*/.exec(pattern)![0]), many: true, pattern });

const unknown = (text: string): Word => ({ ...unknownWord(text, ""), many: true });

function oneWord(written: Written, around: ExpansionContext): Word {
  const { text, parts } = written;
  const tilde = tildeOf(text, parts);
  if (!parts) {
    if (tilde === "other")
      return /^~\+(\/|$)/.test(text) && staysAtStart(around) ? { ...unknownWord(text, safe), place: `.${text.slice(2)}` } : unknown(text);
    const word = knownWord(text, written.value);
    if (tilde === "home") word.home = true;
    return word;
  }
  if (tilde === "other") return unknown(text);
  const made = growingWord(tilde === "home");
  for (const part of parts) add(part, { made, around, quoted: false });
  return finished(text, made);
}

function tildeOf(text: string, parts: readonly WordPart[] | undefined): "none" | "home" | "other" {
  if (!text.startsWith("~")) return "none";
  const first = parts ? (parts[0]?.type === "Literal" ? parts[0].text : "") : text;
  return first.startsWith("~/") || (first === "~" && text === "~") ? "home" : "other";
}

const isQuoted = ({ type }: WordPart) => type === "SingleQuoted" || type === "AnsiCQuoted" || type === "DoubleQuoted";

type Adding = { made: GrowingWord; around: ExpansionContext; quoted: boolean };

function add(part: WordPart, { made, around, quoted }: Adding): void {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      appendValues(made, [part.value]);
      break;
    case "DoubleQuoted":
      for (const child of part.parts) add(child, { made, around, quoted: true });
      break;
    case "Glob":
      made.isPattern = true;
      made.exact = false;
      appendPatterns(made, [part.text]);
      made.below = undefined;
      break;
    case "SimpleExpansion":
    case "ParameterExpansion":
      parameter(part, { made, around, quoted });
      break;
    case "ArithmeticExpansion":
      appendUnknown(made, { inert: false, many: !quoted });
      break;
    case "CommandExpansion":
      if (part.text === "$(pwd)" && fromStart(made, around)) {
        made.many ||= !quoted;
        break;
      }
      if (makesTemporary.test(part.text) && beginsTemporary(made, around)) {
        appendValues(made, ["/new"]);
        break;
      }
      appendUnknown(made, { inert: printsNoOption.test(part.text), many: !quoted });
      break;
    case "ProcessSubstitution":
      appendUnknown(made, { inert: true, many: false });
      break;
    case "LocaleString":
    case "ExtendedGlob":
    case "BraceExpansion":
      appendUnknown(made, { inert: false, many: true });
      break;
  }
}

/** The output of these never begins with a dash, whatever a repository contains. */
const printsNoOption =
  /^\$\(\s*(git merge-base( [\w./~^@][\w./~^@-]*){2}|git rev-parse( --short| --verify| -q)*( [\w./~^@][\w./~^@-]*)|git branch --show-current|git rev-parse --abbrev-ref HEAD|git rev-parse --show-toplevel|date \+%[\w%:.-]*|nproc|pwd)\s*\)$/;

/** Creates a new file or folder in the folder for temporary files. */
const makesTemporary = /^\$\(\s*mktemp(?:\s+(?:-[dq]|--directory|-t\s+[\w.-]+))*\s*\)$/;

/** Begins a word with the folder for temporary files, under a placeholder: only the caller knows which folder that is. */
function beginsTemporary(made: GrowingWord, { variables }: ExpansionContext): boolean {
  if (!made.exact || made.start !== "" || made.isPattern || variables.open || variables.given.has("TMPDIR")) return false;
  made.home = true;
  appendValues(made, [temporaryFolder]);
  return true;
}

function parameter(part: SimpleExpansionPart | ParameterExpansionPart, { made, around, quoted }: Adding): void {
  const name = part.type === "SimpleExpansion" ? part.text.slice(1) : part.parameter;
  const plain = part.type === "SimpleExpansion" || (!part.prefix && !part.index && !part.operation);
  if (!plain) {
    appendUnknown(made, { inert: part.prefix === "#", many: !quoted });
    return;
  }
  if (name === "!" || onlyValue(name, around) === "$!") {
    made.job = true;
    appendUnknown(made, { inert: true, many: !quoted });
    return;
  }
  if (/^[?#$]$/.test(name)) {
    appendUnknown(made, { inert: true, many: false });
    return;
  }
  const values = valuesOf(name, around);
  if (values === undefined) {
    const kept = !around.variables.given.has(name) && !around.variables.open;
    // Kept as a tilde, which names the same folder.
    if (name === "HOME" && kept && made.exact && made.start === "") {
      made.home = true;
      appendValues(made, ["~"]);
      return;
    }
    if (name === "TMPDIR" && kept && beginsTemporary(made, around)) return;
    if (name === "PWD" && kept && fromStart(made, around)) {
      made.many ||= !quoted;
      return;
    }
    appendUnknown(made, { inert: (name === "PWD" && kept) || printsNoOption.test(onlyValue(name, around)), many: !quoted || name === "@" });
    return;
  }
  const [only] = values;
  if (values.length === 1 && only?.isTemporary) {
    if (beginsTemporary(made, around)) appendValues(made, [only.value.slice(temporaryFolder.length)]);
    else appendUnknown(made, { inert: true, many: !quoted });
    return;
  }
  const split =
    !quoted && values.some(({ value, pattern }) => value === "" || (pattern === undefined ? /[\s*?[\\]/ : /[\s\\]/).test(value));
  if (split) {
    appendUnknown(made, { inert: false, many: true });
    return;
  }
  if (values.some((each) => each.pattern !== undefined)) {
    const patterns = values.map(({ value, pattern }) => pattern ?? asPattern(value));
    appendPatterns(made, patterns);
    made.isPattern = true;
    if (made.exact) made.start += commonStart(patterns.map((pattern) => /^[^*?[\\]*/.exec(pattern)![0]));
    if (made.exact && made.start === "") made.inert ||= values.every(({ value }) => !/^[-*?[]/.test(value));
    made.exact = false;
    return;
  }
  appendValues(
    made,
    values.map(({ value }) => value),
  );
}

/** The value of a variable, if it is a single text. */
function onlyValue(name: string, { variables, definite }: ExpansionContext): string {
  const [only, ...others] = definite.has(name) && !variables.open ? (variables.given.get(name) ?? []) : [];
  return others.length === 0 ? (only?.text.replace(/^"(.*)"$/s, "$1") ?? "") : "";
}

/** Begins the word with the folder where the whole command starts, if nothing in the text changes it. */
function fromStart(made: GrowingWord, around: ExpansionContext): boolean {
  if (!made.exact || made.start !== "" || made.isPattern || !staysAtStart(around)) return false;
  appendUnknown(made, { inert: true, many: false });
  made.below = "";
  return true;
}

const staysAtStart = ({ variables }: ExpansionContext) => !variables.moves && !variables.open;

type Value = { value: string; pattern?: string; isTemporary?: true };

/** All values that a variable can have; undefined if they are not known. */
function valuesOf(name: string, around: ExpansionContext): Value[] | undefined {
  const { variables, definite } = around;
  const given = variables.given.get(name);
  if (!given || variables.open || variables.wordsChange || !definite.has(name)) return undefined;
  const found: Value[] = [];
  // A variable may refer to itself: it is treated as unknown while it is looked up.
  const without: ExpansionContext = { variables, definite: new Set([...definite].filter((other) => other !== name)) };
  for (const written of given) {
    if (!written || written === numeric || /^~|[:=]~/.test(written.text)) return undefined;
    // Braces are not expanded in an assignment, but are in the list of a loop.
    if (written.parts?.some(({ type }) => type === "BraceExpansion")) found.push({ value: written.value });
    for (const word of expand(written, without)) {
      if (word.pattern !== undefined) found.push(...(word.patterns ?? [word.pattern]).map((pattern) => ({ value: pattern, pattern })));
      else if (word.home && word.value?.startsWith(temporaryFolder) && given.length === 1)
        found.push({ value: word.value, isTemporary: true });
      else if (!word.choices || word.home) return undefined;
      else found.push(...word.choices.map((value) => ({ value })));
    }
    if (found.length > mostChoices) return undefined;
  }
  return found;
}
