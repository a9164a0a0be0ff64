// Recognizes the uses of programs that only look, from the table of such uses.
import { gitNever, type LookKind, type LookRow, lookRows } from "../tables/looks.ts";
import type { FileUse, Word } from "../words/analysis.ts";
import { type Invocation, withoutPlace } from "../words/invocation.ts";
import { literal, unknownWord } from "../words/literal.ts";
import { mayBeOption, mayMean, type ReadOptions, readOptions } from "../words/options.ts";
import { placesOf, useOf } from "../words/paths.ts";

/** One use of a table. `files`: the words that name files; `below`: everything in their folders is taken in; `edits`: they are changed. */
export type Look = { files: Word[]; below?: FileUse["recursive"]; names: boolean } & Pick<LookKind, "edits">;

type Row = { behind: string[]; options: LookRow[1]; kind: LookKind; never: RegExp[] };

/** By the program, or by the program and the word behind it. */
const table = new Map<string, Row[]>();
for (const [command, options, kind = {}] of lookRows)
  for (const [program = "", ...behind] of spellings(command.split(" "))) {
    const key = behind.length > 0 ? `${program} ${behind[0]}` : program;
    const never = [...(kind.never ? [kind.never] : []), ...(program === "git" ? [gitNever] : [])];
    table.set(key, [{ behind, options, kind, never }, ...(table.get(key) ?? [])]); // a longer row stands below the shorter one
  }

const programs = new Set([...table.keys()].map((key) => key.split(" ")[0]!));
/** Whether a row speaks of a use of it. */
export const isInTable = (program: string): boolean => programs.has(program);

/** Undefined if the command may do more than read the files that it names. */
export function lookOf({ program, words: written, sub }: Invocation): Look | undefined {
  const words = program === "find" ? withoutRun(written) : written;
  const from = program === "git" ? (sub ?? 1) : 1; // `git --version` has no subcommand
  if (from > 1 && withoutPlace(words)[1] !== words[from]) return undefined; // other options may make git start a program
  return firstLook(table.get(`${program} ${words[from]?.value}`), words, from) ?? firstLook(table.get(program), words, from);
}

/** Whether words that are not known may be options by which git does more than look: `--output=file`. */
export const mayDoMore = ({ program, words, sub = 0, verb }: Invocation): boolean =>
  program === "git" && table.has(`git ${verb}`) && words.slice(sub + 1).some((word) => word.value === undefined && mayBeOption(word));

/** What a program takes in that searches its folder by itself, in a use that the table does not list; undefined for any other program. */
export function searchOf({ program, words, verb }: Invocation): Pick<FileUse, "recursive"> | undefined {
  const rows = table.get(program === "git" ? `git ${verb}` : program);
  const says = (option: string) => words.some(({ value = "" }) => value.startsWith("-") && mayMean(value, option));
  const row = rows?.find(({ kind: { below, edits } }) => !edits && (below === true || (typeof below === "object" && below.some(says))));
  return row && (row.kind.names ? {} : { recursive: true });
}

function firstLook(rows: Row[] = [], words: Word[], from: number): Look | undefined {
  for (const row of rows) {
    const { behind } = row;
    const look = behind.every((word, at) => words[from + at]?.value === word) ? lookBy(row, words, from + behind.length) : undefined;
    if (look) return look;
  }
  return undefined;
}

/** What find runs for each file is a command of its own. */
function withoutRun(words: Word[]): Word[] {
  const from = words.findIndex(({ value }) => value === "-exec" || value === "-execdir");
  const end = from === -1 ? -1 : endOfRun(words, from);
  return from === -1 || end === words.length ? words : withoutRun([...words.slice(0, from), ...words.slice(end + 1)]);
}

/** The index of the word that ends the command which begins behind `at`; the number of words if none does. */
export function endOfRun(words: Word[], at: number): number {
  const end = words.findIndex(({ value }, index) => index > at && (value === ";" || (value === "+" && words[index - 1]!.value === "{}")));
  return end === -1 ? words.length : end;
}

function lookBy({ options, kind, never }: Row, words: Word[], from: number): Look | undefined {
  const read = readOptions(words, options, { from, exact: true, leading: kind.leading });
  const { length } = read.operands;
  if (read.unknown || length < (kind.least ?? 0) || length > (kind.most ?? Infinity) || (kind.some && words.length === from))
    return undefined;
  if (never.length > 0 && (doesMore(words.slice(from), read, never) || (never.includes(gitNever) && misread(words.slice(from), read))))
    return undefined;
  const operands = read.operands.map((at) => words[at]!);
  if (kind.most !== undefined && operands.some(({ many }) => many)) return undefined;
  const says = kind.pattern && !read.given.some(({ name }) => kind.pattern!.includes(name));
  const said = read.given.filter(({ name }) => kind.pattern?.includes(name)).map(({ value }) => value);
  const first = [...said, ...(says || !kind.pattern ? [operands[0]] : [])];
  if (kind.first && !first.every((word) => word?.value !== undefined && kind.first!.test(word.value))) return undefined;
  const named = says && !operands[0]?.many ? operands.slice(1) : operands; // what may become several words may name files
  if (kind.operands && !named.every(({ choices = ["\n"] }) => choices.every((choice) => kind.operands!.test(choice)))) return undefined;
  const below = belowOf(kind, read);
  const places = kind.text ? named.flatMap(listed) : named.length === 0 && (below || kind.names) ? [literal(".")] : named;
  const files = [...places, ...read.given.flatMap(({ value, file }) => (file && value ? [value] : []))];
  return { files, below, names: kind.names === true, edits: kind.edits };
}

/** Whether one of these options is given, or a word may be one when it runs. */
function doesMore(words: Word[], { given }: ReadOptions, nevers: RegExp[]): boolean {
  const end = words.findIndex(({ value }) => value === "--");
  const before = end === -1 ? words : words.slice(0, end);
  return (
    nevers.some((never) => words.some(({ value, start }) => never.test(value ?? start)) || given.some(({ name }) => never.test(name))) ||
    before.some(
      (word) => word.value === undefined && mayBeOption(word) && (word.many || !/^--(?:author|grep|since|until)=/.test(word.start)),
    )
  );
}

/** Whether git might take a value or a path for an option: a version of it may read the options otherwise, and find their end elsewhere. */
function misread(words: Word[], { given }: ReadOptions): boolean {
  const end = words.findIndex(({ value }) => value === "--");
  const behind = end === -1 ? [] : words.slice(end + 1);
  const values = given.flatMap(({ name, value }) => (value && (name.length === 2 || words.includes(value)) ? [value] : []));
  return [...behind, ...values].some(({ choices = ["-"], start }) => start.startsWith("-") || choices.some((each) => each.startsWith("-")));
}

/** A glob lists names, whatever the program does with them: the folders that it looks into. So may what is split behind a known start. */
function listed({ text, choices, pattern, home, many, start }: Word): Word[] {
  if (pattern && !choices && /[*?[]/.test(text.replaceAll(/"(?:[^"\\]|\\.)*"/gs, ""))) return [unknownWord(text, start)];
  const globs = pattern ? choices : many && !choices ? [start] : [];
  const folders = globs?.flatMap((glob) => /^.*\//s.exec(glob)?.[0] ?? []) ?? [];
  return folders.map((folder) => ({ ...literal(folder), home, pattern }));
}

export const listing = (words: Word[], folders: (string | undefined)[]): FileUse[] =>
  words.flatMap(listed).flatMap((word) => placesOf(word, folders).map((at) => useOf(at, { access: "read" })));

const belowOf = ({ below = [] }: LookKind, { given }: ReadOptions) =>
  typeof below !== "object" ? below : given.some(({ name }) => below.includes(name)) || undefined;

/** `npm ls,why` stands for two commands. */
function spellings([first = "", ...rest]: string[]): string[][] {
  const behind = rest.length > 0 ? spellings(rest) : [[]];
  return first.split(",").flatMap((word) => behind.map((others) => [word, ...others]));
}
