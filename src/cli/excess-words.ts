// What is said of a command line with a word or an option that a command does not have: what was found, and which line was probably meant.
import type { Command } from "commander";
import { UsageError, type World } from "../app/world.ts";
import { plural } from "../wording/figures.ts";
import { shellWord } from "../wording/shell-word.ts";
import { didYouMean, suggestions } from "./bare-word.ts";

type Typed = Pick<World, "argv">;

/** Throws UsageError. `tool agents lst` gets here as the command that runs without a subcommand, with one word too many. */
export function refuseExcessWords(command: Command, { argv }: Typed): void {
  const takes = command.registeredArguments;
  const word = command.args[takes.length];
  if (word === undefined || takes.at(-1)?.variadic) return;
  const isDefault = command.commands.length === 0 && !argv.includes(command.name());
  const group = isDefault && command.parent ? command.parent : command;
  if (visible(group).length > 0) throw new UsageError(noSuchCommand(group, command.args, { argv }));
  const most = takes.length === 0 ? "no arguments" : plural(takes.length, "argument");
  const meant = didYouMean(choicesCalled(word, [command]));
  throw new UsageError(`${pathOf(command)} takes ${most}, and ${JSON.stringify(word)} is one too many.${meant && ` ${meant}`}`);
}

/** For example `"lst" is not a command of tool agents. Did you mean tool agents list?`. `words`: what follows the group's name. */
export function noSuchCommand(group: Command, words: readonly string[], { argv }: Typed): string {
  const [word = ""] = words;
  const path = pathOf(group);
  const commands = visible(group);
  const known = commands.map((each) => ({ name: each.name(), as: `${path} ${each.name()}` }));
  const spelt = suggestions(word, known);
  const meant = spelt.length > 0 ? spelt : [...choicesCalled(word, commands), ...takers(commands, words, argv)];
  return `${JSON.stringify(word)} is not a command of ${path}. ${didYouMean(meant) || `Its commands: ${known.map(({ name }) => name).join(", ")}.`}`;
}

/**
 * For an option that the command does not have. `--deny` may mean `--kind deny`, and `--scope project` the option `--project`. Empty if nothing is
 * known.
 */
export function optionMeant(command: Command, option: string, { argv }: Typed): string {
  const named = option.replace(/^--/, "");
  const value = argv[argv.indexOf(option) + 1];
  const own = command.options.flatMap(({ long }) => (long && long === `--${value}` ? [long] : []));
  return didYouMean([...choicesCalled(named, [command]), ...own]);
}

/** For example `tool permissions add --kind deny`, of a word that is one of the choices of an option. */
function choicesCalled(word: string, commands: readonly Command[]): string[] {
  return commands.flatMap((command) =>
    command.options.flatMap(({ long, argChoices }) => (argChoices?.includes(word) ? [`${pathOf(command)} ${long} ${word}`] : [])),
  );
}

/** The only command whose arguments these words can be. What takes any words at all, or none, says nothing about them. */
function takers(commands: readonly Command[], words: readonly string[], argv: readonly string[]): string[] {
  const fitting = commands.filter(({ registeredArguments: takes }) => {
    const least = takes.filter(({ required }) => required).length;
    return least > 0 && words.length >= least && ((takes.length > 1 && takes.at(-1)?.variadic) || words.length <= takes.length);
  });
  const line = argv.includes("--") ? "" : words.map(shellWord).join(" ");
  return fitting.length === 1 ? fitting.map((command) => `${pathOf(command)} ${line.length <= longestLine ? line : ""}`.trimEnd()) : [];
}

const longestLine = 60;

const visible = (group: Command): Command[] => [...group.createHelp().visibleCommands(group)];

const pathOf = (command: Command): string => (command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name());
