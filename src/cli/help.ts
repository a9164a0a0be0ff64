// `tool help [command…]`: the same as --help behind that command.
import { Command } from "commander";
import { UsageError } from "../app/world.ts";

export function helpCommand(program: Command): Command {
  return new Command("help")
    .description("Show what a command does, and an example.")
    .argument("[command...]", "such as: team task create")
    .addHelpText("after", "\nExample:\n  tool help team status")
    .action((words: string[]) => commandAt(program, words).outputHelp());
}

/** Throws UsageError naming those that there are. */
function commandAt(program: Command, words: string[]): Command {
  return words.reduce((command, word) => {
    const there = command.createHelp().visibleCommands(command);
    const found = there.find((child) => child.name() === word);
    if (found) return found;
    const path = [program.name(), ...words.slice(0, words.indexOf(word))].join(" ");
    const names = there.map((child) => child.name()).join(", ");
    throw new UsageError(`There is no command ${JSON.stringify(word)} of ${path}. ${names ? `It has ${names}` : "It has none"}.`);
  }, program);
}
