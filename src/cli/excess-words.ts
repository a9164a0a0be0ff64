// Refuses words that a command does not take: they may be a misspelled subcommand.
import type { Command } from "commander";
import { UsageError, type World } from "../app/world.ts";
import { plural } from "../wording/figures.ts";
import { didYouMean, suggestions } from "./bare-word.ts";

/** Throws UsageError. `tool agents lst` gets here as the command that runs without a subcommand, with one word too many. */
export function refuseExcessWords(command: Command, { argv }: Pick<World, "argv">): void {
  const takes = command.registeredArguments;
  const word = command.args[takes.length];
  if (word === undefined || takes.at(-1)?.variadic) return;
  const isDefault = command.commands.length === 0 && !argv.includes(command.name());
  const group = isDefault && command.parent ? command.parent : command;
  const names = group.createHelp().visibleCommands(group);
  const path = pathOf(group);
  const known = names.map((each) => ({ name: each.name(), as: `${path} ${each.name()}` }));
  if (known.length === 0)
    throw new UsageError(
      `${path} takes ${takes.length === 0 ? "no arguments" : plural(takes.length, "argument")}, and "${word}" is one too many.`,
    );
  const meant = didYouMean(suggestions(word, known)) || `Its commands: ${known.map(({ name }) => name).join(", ")}.`;
  throw new UsageError(`"${word}" is not a command of ${path}. ${meant}`);
}

const pathOf = (command: Command): string => (command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name());
