// Which files a command may open that looks through a folder or takes its names from another one: a search that says which names it is
// about opens no others, and what only lists opens none.
import { fitsMask } from "../judge/mask.ts";
import type { Analysis, SimpleCommand } from "../words/analysis.ts";

/** May be true of a file that stays closed, never false of one that is opened. `path` is real. */
export type Opens = (path: string) => boolean;

export function opensOf(command: SimpleCommand, { commands }: Analysis): Opens {
  const program = programOf(command);
  if (listing.has(program)) return () => false;
  const own = searchOf(command);
  if (command.parent === undefined) return own;
  const givers = commands.filter((other) => other.parent === undefined && givesNames.has(programOf(other))).map(searchOf);
  return givers.length === 0 ? own : (path) => own(path) && givers.some((gives) => gives(path));
}

const programOf = ({ words }: SimpleCommand) => words[0]?.value ?? "";

/** They print names, sizes and counts. */
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

/** The words behind such options. */
function behind(values: (string | undefined)[], option: RegExp): string[] {
  return values.flatMap((value, at) => (option.test(value ?? "") ? [values[at + 1] ?? "*"] : []));
}

function isNegated(values: (string | undefined)[], index: number): boolean {
  const places = values.flatMap((value, at) => (/^-i?name$/.test(value ?? "") ? [at] : []));
  const before = values[places[index]! - 1];
  return before === "-not" || before === "!";
}

/** By what a file is called; without a pattern all. */
function among(patterns: string[]): Opens {
  if (patterns.length === 0) return () => true;
  const masks = patterns.flatMap((pattern) => alternatives(pattern.slice(pattern.lastIndexOf("/") + 1)));
  return (path) => masks.some((mask) => fitsMask(mask, path.slice(path.lastIndexOf("/") + 1)));
}

/** In doubt a sign stands for anything. */
const alternatives = (pattern: string) => (pattern.includes("{") ? ["*"] : [pattern.replaceAll(/\?|\[[^\]]*\]/g, "*")]);
