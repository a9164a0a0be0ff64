// Effects of a simple command that the user must not overlook, from the table beside this file.
import type { SimpleCommand, Word } from "../words/analysis.ts";
import { invocationOf, nameOf } from "../words/invocation.ts";
import { mayBeOption, mayMean, readOptions } from "../words/options.ts";
import { type Effect, markRows } from "./marks-table.ts";

/** `outside`: it names a place outside the working directories. `any code`: its arguments contain source code. */
export const marks = ["deletes", "overwrites history", "sends", "outside", "any code"] as const;
export type Mark = (typeof marks)[number];

type Use = { options: string[]; never: string[]; operands: string[]; signs: Set<string>; effects: Effect[] };

const table = new Map<string, Use[]>();
for (const [command, uses, effects] of markRows) {
  const [programs = "", verbs] = command.split(" ");
  const listed = uses.split(" ").filter(Boolean);
  const use: Use = {
    options: listed.filter((one) => one.startsWith("-")),
    never: listed.flatMap((one) => (one.startsWith("!") ? [one.slice(1)] : [])),
    operands: listed.flatMap((one) => (one.startsWith("=") ? [one.slice(1)] : [])),
    signs: new Set(listed.filter((one) => /^[a-z]/.test(one))),
    effects,
  };
  for (const program of programs.split(",")) {
    for (const verb of verbs?.split(",") ?? [undefined]) {
      const key = verb === undefined ? program : `${program} ${verb}`;
      table.set(key, [...(table.get(key) ?? []), use]);
    }
  }
}

/** Effects of the command and of any command that it may run. Unknown words count as whatever makes the effect apply. */
export function effectsOf({ words, possibleCommands }: Pick<SimpleCommand, "words" | "possibleCommands">): Set<Effect> {
  return new Set([words, ...possibleCommands].flatMap(effectsOfWords));
}

/** The effects that are shown to the user. */
export function marksOf(command: Pick<SimpleCommand, "words" | "possibleCommands">): Mark[] {
  const effects = effectsOf(command);
  return marks.filter((mark) => mark !== "outside" && mark !== "any code" && effects.has(mark));
}

/** Whether its arguments or its standard input are source code of a language. */
export function givesCode({ words, stdinText }: Pick<SimpleCommand, "words" | "stdinText">): boolean {
  const options = codeOptions.get(words[0]?.value ?? "");
  return options !== undefined && ((stdinText !== undefined && words.length === 1) || words.some(({ value }) => options.test(value ?? "")));
}

/** Options that pass source code to an interpreter. Source: the manual page of each. */
const interpreters: [programs: string, options: RegExp][] = [
  ["python python3", /^-c?$/],
  ["node nodejs bun", /^(?:-[ep]|-pe|--eval|--print|-)$/],
  ["perl perl5 ruby", /^(?:-[0-7lanwpi]+[eE]?|-[eE]|-)$/],
  ["php", /^-r$/],
];

const codeOptions = new Map(interpreters.flatMap(([programs, options]) => programs.split(" ").map((program) => [program, options])));

/** It fails without a network. */
export function wantsNetwork(command: Pick<SimpleCommand, "words" | "possibleCommands">): boolean {
  return (["network", "sends"] as const).some((effect) => effectsOf(command).has(effect));
}

/** As it is called, if no row of the table speaks of the subcommand: a name that somebody has given to others, or a program. */
export function unknownGit({ words, possibleCommands }: Pick<SimpleCommand, "words" | "possibleCommands">): string | undefined {
  for (const each of [words, ...possibleCommands]) {
    if (nameOf(each[0]?.value ?? "") !== "git") continue;
    const { sub = each.length } = invocationOf("git", each);
    const isKnown = each.slice(sub, sub + 1).every(({ choices }) => choices?.every((verb) => table.has(`git ${verb}`)));
    const isNamed = each.slice(1, sub).some(({ value, start }) => namesCommands.test(value ?? start));
    if (isNamed || !isKnown) return `git ${each[sub]?.text ?? ""}`;
  }
  return undefined;
}

/** Settings that give commands of git another meaning, or more of them. */
export const namesCommands = /^(?:-c)?(?:--config-env=)?(?:alias|include(?:if)?)\./i;

function effectsOfWords(words: Word[]): Effect[] {
  const program = nameOf(words[0]?.value ?? "");
  if (/^(python|pypy)[\d.]*$/.test(program) && words[1]?.value === "-m") return effectsOfWords(words.slice(2));
  const { sub = words.length } = invocationOf(program, words);
  const uses = (key: string, rest: Word[]) => (table.get(key) ?? []).filter((use) => isUse(use, rest));
  const ofVerbs = words[sub]?.choices?.flatMap((verb) => uses(`${program} ${verb}`, words.slice(sub + 1))) ?? [];
  return [...uses(program, words.slice(1)), ...ofVerbs].flatMap((use) => use.effects);
}

function isUse({ options, never, operands, signs, effects }: Use, words: Word[]): boolean {
  const end = words.findIndex(({ value }) => value === "--");
  const before = end === -1 ? words : words.slice(0, end);
  const given = before.flatMap(({ value }) => (value?.startsWith("-") && value.length > 1 ? [value] : []));
  const rest = words.filter(({ value }, at) => value !== "--" && !(at < before.length && value?.startsWith("-")));
  const has = (list: string[]) => given.some((option) => list.some((each) => mayMean(option, each)));
  const exceptions = never.filter((one) => one.startsWith("-"));
  if (has(exceptions) || never.includes(`=${rest[0]?.value}`)) return false;
  if (options.length + operands.length + signs.size === 0) return true;
  // Only for effects that must not be missed: a false mark would weaken the others.
  const isUnknown = effects.includes("loses work") && before.some((word) => word.value === undefined && mayBeOption(word));
  return (
    has(options) ||
    isUnknown ||
    rest.some(({ value, start }) => operands.some((operand) => isOperand(operand, value ?? start))) ||
    (signs.has("none") && rest.length === 0) ||
    (signs.has("host:") && rest.some(({ value, start }) => /^[^/]+:/.test(value ?? start))) ||
    (signs.has("url") && rest.some(({ value, start }) => (value ?? start).includes("://"))) ||
    (signs.has("paths") && namesPaths(words))
  );
}

const isOperand = (wanted: string, found: string) => (/^\w/.test(wanted) ? found === wanted : found.startsWith(wanted));

/** Whether `git checkout` is given paths: words after `--`, a second operand after a revision, or a word that cannot be a branch. */
function namesPaths(words: Word[]): boolean {
  const { operands, given } = readOptions(words, "-b: -B: --orphan: -t? --track? -q --quiet --detach -d --conflict=", { from: 0 });
  const makes = given.some(({ name }) => ["-b", "-B", "--orphan"].includes(name));
  const end = words.findIndex(({ value }) => value === "--");
  if (end !== -1 && end < words.length - 1) return true;
  const first = words[operands[0] ?? -1];
  return operands.length > 1 || (!makes && first !== undefined && (first.value === undefined || /^\.|[*?[:]|\/$/.test(first.value)));
}
