// Parses the text in the parentheses of a rule Bash(…), and says which simple commands it covers.

import { runsAsMuch, type Spelling, spellingOf } from "../tables/spellings.ts";
import { isQuietSetting } from "../uses/git-settings.ts";
import type { SimpleCommand, Word } from "../words/analysis.ts";
import { misleading } from "../words/misleading.ts";
import { readOptions } from "../words/options.ts";
import { fitsMask } from "./mask.ts";

/**
 * `any`: `Bash` and `Bash(*)`. `text`: the rule as written. `exact`: the whole text or one whole simple command, as written. `words`:
 * exactly these words, alone or followed by others. `mask`: `*` matches any characters inside one simple command; `words` are those before
 * the first `*`.
 */
export type BashPattern =
  | { kind: "any" }
  | { kind: "exact"; text: string; words: string[] }
  | { kind: "words"; text: string; words: string[] }
  | { kind: "mask"; text: string; mask: string; words: string[] };

export type ParsedPattern = { ok: true; pattern: BashPattern } | { ok: false; reason: string };

/**
 * The reason continues a sentence. A pattern that could cover nothing is an error: a deny rule that silently never applies would be worse
 * than none.
 */
export function parseBashPattern(inner: string): ParsedPattern {
  const text = inner.trim();
  if (text === "") return { ok: false, reason: "the parentheses are empty" };
  if (misleading.test(text)) return { ok: false, reason: "it contains invisible or misleading characters, so it would cover no command" };
  if (/^[*\s]+$/.test(text)) return { ok: true, pattern: { kind: "any" } };
  const star = text.endsWith(":*") ? 2 : /\s\*$/.test(text) ? 1 : 0;
  const prefix = star === 0 ? undefined : text.slice(0, -star).trim();
  if (prefix === "") return { ok: false, reason: 'there is no program before the "*"' };
  if (prefix !== undefined && !prefix.includes("*") && !/[;|&<>`\n]/.test(prefix))
    return { ok: true, pattern: { kind: "words", text, words: wordsOf(prefix) } };
  if (!text.includes("*")) return { ok: true, pattern: { kind: "exact", text, words: wordsOf(text) } };
  const mask = prefix === undefined ? text : `${prefix} *`;
  return { ok: true, pattern: { kind: "mask", text, mask, words: wordsOf(/^(.*\s)?/s.exec(mask.slice(0, mask.indexOf("*")))![0]) } };
}

/** Splits a rule at whitespace and removes quotes. */
function wordsOf(text: string): string[] {
  return (text.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+|['"]/g) ?? []).map((word) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, "$1$2"));
}

/** How many leading words an allow rule spells out for a command that it covers; undefined if it does not cover the command. */
export function covers(pattern: BashPattern, command: SimpleCommand): number | undefined {
  const spelled = coversWords(pattern, command);
  const skipped = spelled === undefined ? quietOptions(command.words) : 0;
  if (skipped === 0) return spelled;
  const words = [command.words[0]!, ...command.words.slice(1 + skipped)];
  const without = pattern.kind === "exact" ? undefined : coversWords(pattern, { text: command.text, words });
  return without === undefined ? undefined : without + skipped;
}

/** The same for a command that is another spelling of what the rule names. */
export function coversSpelling(pattern: BashPattern, { words }: Pick<SimpleCommand, "words">, isSame = runsAsMuch): number | undefined {
  const named = pattern.kind === "words" ? spellingOf(pattern.words) : undefined;
  if (named === undefined || pattern.kind !== "words") return undefined;
  const skipped = quietOptions(words);
  const values = words.map(({ value }) => value).filter((_, at) => at === 0 || at > skipped);
  const given = spellingOf(values);
  const more = pattern.words.slice(named.taken);
  if (!given || !isSame(named, given) || !more.every((word, at) => values[given.taken + at] === word)) return undefined;
  return given.taken + more.length + skipped;
}

/** Whether the rule is about what the command runs, in whatever spelling. */
export const speaksOf = (pattern: BashPattern, command: SimpleCommand) =>
  coversSpelling(pattern.kind === "exact" ? { ...pattern, kind: "words" } : pattern, command, sameKind) !== undefined;

const sameKind = (one: Spelling, other: Spelling) => one.kind === other.kind;

/** How many words after the program only set its directory, which is checked as a file, or make it quiet. */
function quietOptions(words: Word[]): number {
  const program = words[0]?.value ?? "";
  const line = quiet.get(program);
  if (line !== undefined) {
    const from = program === "cargo" && words[1]?.value?.startsWith("+") ? 2 : 1;
    const { given, operands, unknown } = readOptions(words, line, { from, leading: true });
    const isQuiet = given.every(({ name, value }) => quietValues.get(name)?.test(value?.value ?? "@") ?? true);
    return unknown || !isQuiet ? 0 : (operands[0] ?? 1) - 1;
  }
  if (program !== "git") return 0;
  let at = 1;
  for (;;) {
    const value = words[at]?.value;
    if (value === "--no-pager" || value === "-P" || value === "--no-optional-locks" || value === "--literal-pathspecs") at++;
    else if (isQuietSetting(words, at) || (value === "-C" && words[at + 1]?.value !== undefined)) at += 2;
    else return at - 1;
  }
}

const quiet = new Map(
  Object.entries({
    npm: "--prefix= -C: -w: --workspace= -ws --workspaces --if-present -s --silent --loglevel=",
    pnpm: "-C: --dir= -F: --filter= -r --recursive -w -s --silent",
    yarn: "--cwd= -s --silent",
    cargo: "-q --quiet -v -vv --verbose --locked --offline --frozen --color=",
    make: "-C: --directory= -j? -s --silent -k --keep-going --no-print-directory",
    go: "-C:",
    curl: "-s -S -f -i -I -v -g -4 -6 --silent --show-error --fail --include --head --verbose -m: --max-time= --connect-timeout= -o: --output= -w: --write-out=",
  }),
);

/** With other values, these options of curl write and read files. */
const quietValues = new Map([
  ...["-o", "--output"].map((name) => [name, /^\/dev\/null$/] as const),
  ...["-w", "--write-out"].map((name) => [name, /^(?!@)(?!.*%(?:output|stdout|stderr))/s] as const),
]);

function coversWords(pattern: BashPattern, { words, text }: Pick<SimpleCommand, "words" | "text">): number | undefined {
  switch (pattern.kind) {
    case "any":
      return 0;
    case "exact":
      return words.every(({ value }) => value !== undefined) && isWritten(pattern.text, { words, text }) ? words.length : undefined;
    case "words":
      return pattern.words.every((word, index) => words[index]?.value === word) ? pattern.words.length : undefined;
    case "mask":
      if (pattern.words[0] !== undefined && pattern.words[0] !== words[0]?.value) return undefined;
      return fitsMask(withoutScheme(pattern.mask), withoutScheme(canonical(words))) ? pattern.words.length : undefined;
  }
}

/**
 * Whether the rule is the literal text of the command, so that a `*` in it is a literal star. `known`: the shell expands none of the words.
 */
export function isExactly(pattern: BashPattern, { text, known }: { text: string; known: boolean }): boolean {
  return known && pattern.kind !== "any" && pattern.text === text;
}

/** For curl, `localhost:80` is `http://localhost:80`. */
const withoutScheme = (text: string) =>
  text.startsWith("curl ") ? text.replaceAll(/ http:\/\/(?=(?:localhost|127\.0\.0\.1|\[::1\])[:/])/g, " ") : text;

/** Whether this is the text of the command, with or without its assignments and redirections. */
export function isWritten(wanted: string, { words, text }: Pick<SimpleCommand, "words" | "text">): boolean {
  if (text.trim() === wanted) return true;
  return wanted.startsWith(words[0]?.text ?? "") && words.map((word) => word.text).join(" ") === wanted;
}

/** Stands for text that only a `*` can match: a character that no rule contains. */
export const hidden = "\uE000";

/** The words joined by spaces. Spaces inside a word and unknown words become `hidden`. */
function canonical(words: Word[]): string {
  return words.map(({ value }) => (value === undefined ? hidden : value.replaceAll(/\s/g, hidden))).join(" ");
}

/**
 * Whether a mask that contains shell operators fits the whole text. Only for deny rules: an allow rule never covers more than one simple
 * command.
 */
export function spans(pattern: BashPattern, text: string): boolean {
  return pattern.kind === "mask" && /[;|&<>`\n]/.test(pattern.mask) && fitsMask(pattern.mask, text.trim().replaceAll(/[ \t]+/g, " "));
}

/** The words to look for when a rule is applied to a text that cannot be parsed. */
export function looseWords(pattern: BashPattern): string[] | undefined {
  if (pattern.kind === "any") return [];
  const words = pattern.words.filter((word) => !word.startsWith("-"));
  return words.length > 0 ? words : undefined;
}
