// Describes one simple command: its program, the files it names, and the commands it runs.

import { harmlessPagers, isHarmlessInEnvironment, isHijacking, staysInTree } from "../tables/environment-names.ts";
import { builtinRisk, builtins } from "../uses/builtins.ts";
import { otherRepositories } from "../uses/git-repositories.ts";
import { isHarmless } from "../uses/harmless.ts";
import { hazardsOf, isListed } from "../uses/hazards.ts";
import { isKnownProgram } from "../uses/known-programs.ts";
import { looksOnly } from "../uses/looks.ts";
import { runsWorkingTree } from "../uses/mentioned-files.ts";
import { filesOf } from "../uses/named-files.ts";
import { isPlain, showsEnvironment } from "../uses/plain-commands.ts";
import { isKnownReadOnly } from "../uses/read-only-programs.ts";
import { asksTreeForVersion, onlySaysVersion } from "../uses/says-version.ts";
import { type FileUse, type Named, runsFile, type SimpleCommand, type Word } from "../words/analysis.ts";
import { invocationOf } from "../words/invocation.ts";
import { knownWord, literal, unknownWord } from "../words/literal.ts";
import { listedBelow, moved, placesOf, useOf } from "../words/paths.ts";
import { appended, found as foundName } from "../words/runtime-words.ts";
import { type MadeCommand, type State, someOf, type Walk } from "../words/state.ts";
import { givenCommands } from "./given-commands.ts";

/** Commands nested deeper than this are not followed. */
const mostDepth = 24;

/** A command with nothing known about it yet. */
export function newCommand(text: string, { where, parent }: State): SimpleCommand {
  return {
    text,
    where,
    parent,
    offset: undefined,
    words: [],
    assignments: [],
    files: [],
    unclear: undefined,
    hazards: [],
    repositories: [],
    harmless: false,
    plain: false,
    plainInside: false,
    followsTree: false,
    readOnly: false,
    stdinText: undefined,
    coversChildren: undefined,
    unknownProgram: undefined,
    splits: undefined,
    possibleCommands: [],
  };
}

/** Adds the command and every command that it is known to run. */
export function addSimple(walk: Walk, made: MadeCommand, state: State): void {
  const { words } = made;
  const command = made.command ?? newCommand(made.text, state);
  if (!made.command) walk.commands.push(command);
  command.words = words;
  command.assignments = made.assignments;
  command.files = made.files;
  if (made.offset !== undefined) command.offset = made.offset;
  if (made.unclear) command.unclear = made.unclear;
  const unclear = (reason: string) => {
    command.unclear ??= reason;
  };
  if (state.depth > mostDepth) {
    unclear("it is nested too deeply");
    return;
  }
  assignments(command, unclear);
  const [name] = words;
  if (!name) {
    command.harmless = command.unclear === undefined;
    command.readOnly = command.harmless;
    command.plain = command.harmless;
    return;
  }
  const program = programOf(name);
  if (program === undefined || name.pattern !== undefined) {
    unclear("its program is not known before it runs");
    command.possibleCommands = [
      ...(name.choices ?? []).map((value) => [knownWord(name.text, value), ...words.slice(1)]),
      words.slice(1),
    ].filter(({ length }) => length > 0);
    return;
  }
  if (/[{}*?[\]]/.test(name.text) && name.text !== "[" && name.value !== "[") unclear("the name of its program comes from an expansion");
  if (/=|^[!{}]$|^-/.test(program) && words.length > 1) {
    unclear(`"${program}" is not the name of a program`);
    command.possibleCommands.push(words.slice(1));
  }
  if (isFunctionCall(name, walk)) {
    if (builtins.has(program) || isListed(program)) unclear(`a function is named ${program}`);
    command.harmless = state.functions.has(program) && state.where === "" && command.unclear === undefined;
    command.readOnly = command.harmless;
    command.plain = command.harmless;
    return;
  }
  const risk = builtinRisk(program, words);
  if (risk && !name.value!.includes("/")) unclear(risk);
  const invocation = invocationOf(program, words);
  command.hazards = hazardsOf(invocation);
  command.repositories = otherRepositories(invocation);
  const before = command.files.length;
  for (const use of filesOf(invocation, state)) command.files.push(use);
  command.splits = splitNames(words, state);
  const hasFiles = command.files.some(({ mention }, at) => at >= before && !mention);
  changeFolder(program, command, state);
  for (const folder of workedIn(program, words)) command.files.push(...elsewhere(folder, state));
  if (!isKnownProgram(program)) command.unknownProgram = true;
  if (state.stdin?.text !== undefined) command.stdinText = state.stdin.text;
  const { sub, verb } = invocation;
  givenCommands({ program, words, sub, verb, command, state, walk, unclear });
  const isSure = program === name.value && command.hazards.length === 0 && command.unclear === undefined;
  if (isSure && isHarmless(program, words, { hasFiles })) command.harmless = true;
  const looks = isSure ? looksOnly(invocation) : undefined;
  const isQuiet = isSure && !showsEnvironment(invocation);
  command.plain = isQuiet && (command.harmless || looks === "anywhere" || isPlain(invocation));
  command.plainInside = isQuiet && (looks === "sandbox" || onlySaysVersion(words));
  command.followsTree = followsTree(program, command);
  command.readOnly = command.readOnly || command.harmless || isKnownReadOnly(invocation);
}

/** Whether it does no more than print, and run what the tree has installed or wrote down. */
function followsTree(program: string, { words, unclear, hazards }: SimpleCommand): boolean {
  if (program !== words[0]?.value) return asksTreeForVersion(words) && unclear === undefined && hazards.length === 0;
  return unclear === runsFile && words.length === 2 && /^(?:\.\/)?\.?venv\/bin\/activate$/.test(words[1]?.value ?? "");
}

/** Names that split into several words if they contain spaces. */
function splitNames(words: Word[], { folders, stdin }: State): Named[] | undefined {
  if (!words.some((word) => word.splits || word === appended || word === foundName)) return undefined;
  const found = words.flatMap((word): Named[] => {
    if (word === appended || word === foundName) return stdin?.splits && stdin.listed ? listedBelow(stdin.listed, folders) : [];
    return word.splits ? placesOf(word, folders) : [];
  });
  return found.length > 0 ? found : undefined;
}

/** The name without its folder. */
function programOf({ value }: Word): string | undefined {
  if (value === undefined || value === "") return undefined;
  return value.slice(value.lastIndexOf("/") + 1);
}

const isFunctionCall = ({ value }: Word, { functions }: Walk) => value !== undefined && functions.has(value);

function assignments({ assignments: list, words }: SimpleCommand, unclear: (reason: string) => void): void {
  for (const { name, value } of list) {
    if (name.endsWith("PAGER") && value !== undefined && harmlessPagers.includes(value)) continue;
    if (name === "IFS" && value === "" && words[0]?.value === "read") continue;
    if (staysInTree(name, value) && runsWorkingTree(words)) continue;
    if (isHijacking(name)) unclear(`it sets ${name}, which decides which programs run`);
    else if (words.length > 0 && !isHarmlessInEnvironment(name, value)) unclear(`it sets ${name}, which may change what the program does`);
  }
  const first = words[0];
  if (!declaring.has(first?.value ?? "")) return;
  const rest = words.slice(1);
  for (const { value, start } of rest) {
    const [, name, given] = /^([A-Za-z_]\w*)(?:=(.*))?/s.exec(value ?? start) ?? [];
    if (name && isHijacking(name)) unclear(`it sets ${name}, which decides which programs run`);
    else if (
      name &&
      (first?.value === "export" || rest.some((word) => /^-\w*x/.test(word.value ?? ""))) &&
      !isHarmlessInEnvironment(name, value === undefined ? undefined : given)
    )
      unclear(`it sets ${name}, which may change what all programs do`);
  }
}

const declaring = new Set(["export", "declare", "typeset", "readonly", "local"]);

/** The folders that options make it work in, as `cd` before it would. */
function workedIn(program: string, words: Word[]): Word[] {
  const option = goesTo.get(program);
  if (!option) return [];
  return words.flatMap(({ value, start }, at) => {
    const [found, attached] = option.exec(value ?? start) ?? [];
    if (found === undefined) return [];
    const next = words[at + 1];
    return attached ? [value === undefined ? unknownWord(start, attached) : literal(attached)] : next ? [next] : [];
  });
}

const goesTo = new Map(
  Object.entries({
    git: /^-C$/,
    make: /^(?:-\w*C|--directory)=?(.*)$/s,
    gmake: /^(?:-\w*C|--directory)=?(.*)$/s,
    cargo: /^--manifest-path=?(.*)$/s,
    cmake: /^(?:-S|-B|-H|--build=?)(.*)$/s,
    ctest: /^--test-dir=?(.*)$/s,
  }),
);

const elsewhere = (word: Word, { folders }: State): FileUse[] =>
  folders.flatMap((folder) => moved(folder, word)).map((folder) => useOf(toFolder(folder), { access: "read" }));

function changeFolder(program: string, command: SimpleCommand, state: State): void {
  if (program === "popd" || program === "dirs") {
    if (program === "popd") state.folders = [undefined];
    return;
  }
  if (program !== "cd" && program !== "pushd") return;
  const operands = command.words.slice(1).filter(({ value }) => !/^-[LPe@]+$|^--$/.test(value ?? ""));
  const physical = command.words.some(({ value }) => /^-\w*P/.test(value ?? ""));
  const target = operands[0];
  if (program === "cd" && target?.value === "-" && operands.length === 1) {
    state.folders = [undefined]; // back to the previous folder, which was checked when the command went there
    return;
  }
  const folders =
    physical || operands.length > 1 || (program === "pushd" && !target) || target?.value?.startsWith("+")
      ? [undefined]
      : state.folders.flatMap((folder) => moved(folder, target));
  // A folder above the start is possible only if an earlier `cd` failed; paths there are checked by themselves.
  const meant = folders.some((folder) => !isAbove(folder)) ? folders.filter((folder) => !isAbove(folder)) : folders;
  if (target && repositoryTop.test(target.text)) {
    state.folders = [undefined];
    return;
  }
  const places = target?.pattern === undefined ? meant.map(toFolder) : placesOf(target, state.folders);
  for (const place of places) command.files.push(useOf(place, { access: "read" }));
  state.folders = someOf(folders);
}

const repositoryTop = /^"?\$\(git rev-parse --show-toplevel\)"?$/;

const toFolder = (folder: string | undefined) => (folder === undefined ? {} : { path: folder === "" ? "." : folder });

const isAbove = (folder: string | undefined) => folder !== undefined && /^\.\.(\/|$)/.test(folder);
