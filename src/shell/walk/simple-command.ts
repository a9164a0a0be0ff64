// Describes one simple command: its program, the files it names, and the commands it runs.
import { isCommon, isHarmlessInEnvironment, isHijacking, isListed } from "../tables/environment-names.ts";
import { builtinRisk } from "../uses/builtins.ts";
import { isGit, worksAnywhere } from "../uses/git-reach.ts";
import { listing, lookOf, mayDoMore } from "../uses/looks.ts";
import { namedFiles } from "../uses/named-files.ts";
import type { SimpleCommand, Word } from "../words/analysis.ts";
import { invocationOf, nameOf } from "../words/invocation.ts";
import { knownWord, literal, unknownWord } from "../words/literal.ts";
import { moved, placesOf, topFolder, useOf } from "../words/paths.ts";
import { type State, someOf, type Walk } from "../words/state.ts";
import { namesSet } from "../words/variables.ts";
import type { Given } from "./given.ts";
import { givenCommands } from "./given-commands.ts";

const most = { depth: 8, words: 1000 };

/** Finds out what the command does, and adds every command that it is known to run. */
export function simpleCommand(walk: Walk, command: SimpleCommand, state: State): void {
  const unclear = (reason: string) => {
    command.unclear ??= reason;
  };
  if (state.depth > most.depth || command.words.length * (state.depth + 1) > most.words) {
    walk.faults.push("it has more words or deeper nesting than are looked through");
    return;
  }
  assignments({ command, state, walk, unclear });
  const [name] = command.words;
  if (!name) {
    command.looks = command.unclear === undefined;
    return;
  }
  const program = nameOf(name.value ?? "");
  if (!name.value || name.pattern) unknownProgram(command, unclear);
  else if (walk.functions.has(name.value)) functionCall(program, { command, state, walk, unclear });
  else knownProgram(program, { command, state, walk, unclear });
}

type Adding = Pick<Given, "command" | "state" | "walk" | "unclear">;

function unknownProgram(command: SimpleCommand, unclear: Given["unclear"]): void {
  unclear("its program is not known before it runs");
  const [name, ...rest] = command.words;
  const known = (name?.choices ?? []).map((value) => [knownWord(name!.text, value), ...rest]);
  command.possibleCommands = [...known, rest].filter(({ length }) => length > 0);
}

/** What the function is given may reach any of its commands. */
function functionCall(program: string, { command, state, walk, unclear }: Adding): void {
  const { words } = command;
  oddName(program, command, unclear);
  for (const use of namedFiles(invocationOf(program, words), undefined, state)) command.files.push(use);
  if (walk.variables.moves) state.folders = [undefined];
}

function knownProgram(program: string, { command, state, walk, unclear }: Adding): void {
  const { words } = command;
  const { value } = words[0]!;
  oddName(program, command, unclear);
  const risk = builtinRisk(program, words, walk.variables);
  if (risk && !value!.includes("/")) unclear(risk);
  const invocation = invocationOf(program, words);
  const look = program === value ? lookOf(invocation) : undefined;
  if (!look && mayDoMore(invocation)) unclear("which options it gets is not known before it runs");
  for (const use of namedFiles(invocation, look, state)) command.files.push(use);
  if (isGit(command) && worksAnywhere(invocation, state.folders)) command.files.push(useOf({}, { access: "read" }));
  changeFolder(program, command, state);
  if (state.stdin?.text !== undefined) command.stdinText = state.stdin.text;
  const { sub, verb } = invocation;
  // Field by field here and wherever there is one for each command: a spread makes an object of the slow kind.
  givenCommands({ program, words, sub, verb, command, looks: look !== undefined, state, walk, unclear });
  if (look && command.unclear === undefined) command.looks = look.edits === "index" ? "stages" : true;
  if (command.assignments.some(({ name }) => !isListed(name) && !isHijacking(name))) command.looks = false; // it may take any for a setting
}

function oddName(program: string, { words, possibleCommands }: SimpleCommand, unclear: Given["unclear"]): void {
  const { text, value } = words[0]!;
  if (/[{}*?[\]]/.test(text) && text !== "[" && value !== "[") unclear("the name of its program comes from an expansion");
  if (!/=|^[!{}]$|^-/.test(program) || words.length === 1) return;
  unclear(`"${program}" is not the name of a program`);
  possibleCommands.push(words.slice(1));
}

/** Variables that decide what programs run, or how they work. What a program is passed counts as a word that it is given. */
function assignments({ command, state, walk, unclear }: Adding): void {
  const { assignments: list, words, files } = command;
  const [first, ...rest] = words;
  const isOnly = (name: string) => walk.variables.setAt.get(name) === 1; // else what another place sets is passed on too
  const note = (name: string, value: string | undefined, isPassed: boolean) => {
    if (isHijacking(name)) unclear(`it sets ${name}, which decides which programs run`);
    else if (isPassed && !isHarmlessInEnvironment(name, value)) unclear(`it sets ${name}, which may change what programs do`);
    else if (isPassed && value) files.push(...namedFiles(invocationOf("", ["", value.replace(address, "")].map(asWord)), undefined, state));
  };
  for (const { name, value } of list) {
    const isForOne = name.endsWith("PAGER") ? ["cat", ""].includes(value!) : name === "IFS" && value === "" && first?.value === "read";
    if (!isForOne) note(name, words.length > 0 || isOnly(name) ? value : undefined, words.length > 0 || isCommon(name));
    if (words.length === 0 && value) files.push(...listing([asWord(value)], state.folders)); // once it is used without quotes
  }
  const declares = declaring.has(first?.value ?? "");
  const exports = declares && (first?.value === "export" || rest.some((word) => /^-\w*x/.test(word.value ?? "")));
  for (const name of namesSet(words)) note(name, undefined, !declares && first?.value !== "unset" && isCommon(name));
  for (const { value, start } of declares ? rest : []) {
    const [, name, given] = /^([A-Za-z_]\w*)(?:=(.*))?/s.exec(value ?? start) ?? [];
    const isKnown = value !== undefined && (!exports || (isListed(name ?? "") && isOnly(name!)));
    if (name) note(name, isKnown ? given : undefined, exports || (isCommon(name) && given !== undefined));
  }
}

/** What precedes the path in an address: the path of `sqlite:///a.db` is `a.db`. */
const address = /^\w+:\/\/[^/]*\/?/;
const asWord = (text: string): Word =>
  /[*?[]/.test(text) ? { ...unknownWord(text, text), choices: [text], pattern: true } : literal(text);

const declaring = new Set(["export", "declare", "typeset", "readonly", "local"]);

function changeFolder(program: string, command: SimpleCommand, state: State): void {
  if (!["cd", "pushd", "popd"].includes(program)) return;
  const [target, ...more] = command.words.slice(1).filter(({ value }) => !/^-[Le@]+$|^--$/.test(value ?? ""));
  const isBack = program === "popd" || (target?.value === "-" && more.length === 0); // where this text has been: no other is passed on
  // An option or a number turns the stack of folders, or leads behind links.
  const isPlain = !isBack && more.length === 0 && (program === "cd" || target?.choices?.every((word) => !word.startsWith("+")) === true);
  const isTop = repositoryTop.test(target?.text ?? "") && state.folders.every((folder) => folder === "" || folder === topFolder);
  const matched = target?.pattern && placesOf(target, state.folders);
  state.folders = isTop ? [topFolder] : isPlain ? someOf(state.folders.flatMap((folder) => moved(folder, target))) : [undefined];
  if (isTop || isBack) return;
  const places = matched ?? state.folders.map((folder) => ({ path: folder === "" ? "." : folder }));
  for (const place of places) command.files.push(useOf(place, { access: "read" }));
}

const repositoryTop = /^"?\$\(git rev-parse --show-toplevel\)"?$/;
