// What a command does with git that is to be known before it runs: in which folders, to which revisions, and whether it takes our hooks away.
import type { Analysis, SimpleCommand } from "../words/analysis.ts";
import { switching, unnamed } from "./git-history.ts";
import { isGit } from "./is-git.ts";

/** Where the command goes or sends git, seen from where it starts: one too many at times, and none that is not known before it runs. */
export function gitFolders({ commands }: Analysis): string[] {
  return [...new Set(commands.flatMap((command) => (goes.has(command.words[0]?.value ?? "") ? placesOf(command) : sentTo(command))))];
}

const goes = new Set(["cd", "pushd"]);

const placesOf = ({ files }: SimpleCommand) =>
  files.flatMap(({ path, pattern }) => (path === undefined || pattern || path.startsWith("~") ? [] : [path]));

function sentTo(command: SimpleCommand): string[] {
  if (!isGit(command)) return [];
  const { words } = command;
  const values = words.flatMap(({ value }, at) => (value !== undefined && words[at - 1]?.value === "-C" ? [value] : []));
  return placesOf(command).filter((path) => values.some((value) => path === value || path.endsWith(`/${value}`)));
}

/** What the command may tell git to go to, and where it goes when nothing is named; empty if it goes nowhere. */
export function revisionsIn({ commands }: Analysis): string[] {
  const words = commands.flatMap(textsOf).flatMap((text) => text.split(/[\s;|&()<>`'"]+/).filter(Boolean));
  if (!words.some((word) => switching.has(word))) return [];
  const here = Object.entries(unnamed).flatMap(([word, revision]) => (words.includes(word) ? [revision] : []));
  return [...new Set([...here, ...words.filter((word) => !switching.has(word))])];
}

const textsOf = ({ words }: SimpleCommand) => words.map(({ value, text }) => value ?? text);

/** By these git would run other hooks than those it is given in its environment, or lose them. A command that is not clear counts as written. */
export function evadesHooks({ text, unclear, commands }: Analysis): boolean {
  const lines = commands.map((command) => [...command.assignments.map(({ name }) => `${name}=`), ...textsOf(command)].join(" "));
  const said = [...lines, ...(unclear === undefined ? [] : [text])].join("\n");
  if (!/\bgit\b/.test(said)) return false;
  return otherHooks.test(said) || (commands.some(clearsEnvironment) && makesCommits.test(said));
}

const otherHooks = /\bcore\.hookspath\s*=|-c\s*core\.hookspath\b|GIT_CONFIG_(?:COUNT|KEY_|VALUE_|PARAMETERS)|TOOL_(?:HIDDEN|NODE)\b/i;

const clearsEnvironment = ({ words }: SimpleCommand) =>
  /(?:^|\/)env$/.test(words[0]?.value ?? "") && words.some(({ value }) => /^(?:-\w*i|-|--ignore-environment)$/.test(value ?? ""));

const makesCommits = /\bgit\b[^\n]*\s(?:commit|ci|cm|cam|commit-tree|merge|cherry-pick|rebase|am|stash)\b/;
