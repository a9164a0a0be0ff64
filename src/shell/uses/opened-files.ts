// Which files a command opens when it searches a folder or receives names from another command: a search limited to certain names opens
// only those, and a command that only lists opens none.
import { fitsMask } from "../judge/mask.ts";
import type { Analysis, FileUse, SimpleCommand } from "../words/analysis.ts";

/** May return true for a file that is not opened, never false for one that is. `path` is real. */
export type Opens = (path: string) => boolean;

export function opensOf(command: SimpleCommand, analysis: Analysis): Opens {
  return listing.has(programOf(command)) ? () => false : reachesOf(command, analysis);
}

/** The names that it may reach, whether it opens them or not. */
function reachesOf(command: SimpleCommand, analysis: Analysis): Opens {
  const own = searchOf(command);
  const given = givenNames(command, analysis);
  return (path) => own(path) && given(path);
}

/** The names that another command may pass to it. */
export function givenNames(command: SimpleCommand, { commands }: Analysis): Opens {
  const isGiven = command.parent !== undefined || command.splits?.every(({ pattern }) => !pattern);
  const givers = isGiven ? commands.filter((other) => isGiver(other, command)).map(searchOf) : [];
  return givers.length === 0 ? () => true : (path) => givers.some((gives) => gives(path));
}

const isGiver = (other: SimpleCommand, command: SimpleCommand) =>
  other !== command && (other.parent === undefined || other.parent === command) && givesNames.has(programOf(other));

/** Whether it follows links below such a place. */
export function followsOf(command: SimpleCommand, { commands }: Analysis): (use: FileUse) => boolean {
  const values = command.words.map(({ value }) => value);
  const told = follow.get(programOf(command));
  const isTold = told === undefined || values.some((value) => value === undefined || told.test(value));
  const givers = commands.filter((other) => isGiver(other, command));
  const givesLinks = givers.length === 0 || givers.some((giver) => !givesPlainFiles(giver));
  return ({ pattern, recursive }) => pattern === true || (recursive === true && isTold && (told !== undefined || givesLinks));
}

/** Whether it reads what links lead to for certain: by a pattern, or because an option says so. */
export const readsLinks =
  (command: SimpleCommand) =>
  ({ access, pattern }: FileUse) =>
    access === "read" && (pattern === true || follow.has(programOf(command)));

/** Searches that follow links only with one of these options. */
const follow = new Map(
  Object.entries({
    "find gfind": /^-L$|^-follow$/,
    "rg fd fdfind": /^-[a-zA-Z]*L|^--follow$/,
    "grep egrep fgrep": /^-[a-zA-Z]*R|^--deref/,
    tree: /^-[a-zA-Z]*l/,
    du: /^-[a-zA-Z]*[LDH]|^--deref/,
    "cp chmod chown chgrp mv rm": /^-[a-zA-Z]*[LH]|^--deref/,
    git: /^$/,
    "tar gtar bsdtar": /^-?[a-zA-Z]*h|^--deref/,
    zip: /^zip$/,
  }).flatMap(([programs, option]) => programs.split(" ").map((program): [string, RegExp] => [program, option])),
);

/** Whether it prints only names of files that are not links. */
function givesPlainFiles({ words }: SimpleCommand): boolean {
  const values = words.map(({ value }) => value);
  if (values[0] === "rg") return true;
  if (values[0] === "find") return values.some((value, at) => value === "-type" && values[at + 1] === "f") && !values.includes("-L");
  return values[0] === "git" && values[1] === "grep";
}

const programOf = ({ words }: SimpleCommand) => words[0]?.value ?? "";

/** Programs that print names, sizes and counts. */
const listing = new Set("find fd fdfind tree du df ls dir vdir stat file wc readlink realpath basename dirname test [".split(" "));
const givesNames = new Set(["find", "fd", "fdfind", "rg", "grep", "egrep", "git", "ls"]);

function searchOf(command: SimpleCommand): Opens {
  const values = command.words.map(({ value }) => value);
  const program = programOf(command);
  if (program === "find") return among(behind(values, /^-i?name$/).filter((_, at) => !isNegated(values, at)));
  if (/^(e|f)?grep$/.test(program)) return among(values.flatMap((value) => /^--include=(.+)$/.exec(value ?? "")?.[1] ?? []));
  if (program !== "rg") return () => true;
  const globs = values.flatMap((value) => /^(?:-g|--glob=)(.+)$/.exec(value ?? "")?.[1] ?? []);
  const named = among([...globs, ...behind(values, /^(?:-g|--glob)$/)].filter((glob) => !glob.startsWith("!")));
  const all = values.some((value) => value === undefined || /^-[a-zA-Z]*[u.]|^--(?:hidden|no-ignore|unrestricted)/.test(value));
  return (path) => named(path) && (all || !/\/\./.test(path.slice(path.lastIndexOf("/"))));
}

/** The words after such options. */
function behind(values: (string | undefined)[], option: RegExp): string[] {
  return values.flatMap((value, at) => (option.test(value ?? "") ? [values[at + 1] ?? "*"] : []));
}

function isNegated(values: (string | undefined)[], index: number): boolean {
  const places = values.flatMap((value, at) => (/^-i?name$/.test(value ?? "") ? [at] : []));
  const before = values[places[index]! - 1];
  return before === "-not" || before === "!";
}

/** Matches a file by its name; without patterns, every file. */
function among(patterns: string[]): Opens {
  if (patterns.length === 0) return () => true;
  const masks = patterns.flatMap((pattern) => alternatives(pattern.slice(pattern.lastIndexOf("/") + 1)));
  return (path) => masks.some((mask) => fitsMask(mask, path.slice(path.lastIndexOf("/") + 1)));
}

/** Each special character is treated as `*`. */
const alternatives = (pattern: string) => (pattern.includes("{") ? ["*"] : [pattern.replaceAll(/\?|\[[^\]]*\]/g, "*")]);
