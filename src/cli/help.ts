// `tool help [command…]`: the same as --help after that command. `tool help modes` explains when to use which mode.
import { Command } from "commander";
import { asTyped } from "../app/as-typed.ts";
import { UsageError, type World } from "../app/world.ts";
import { modesHelp } from "./modes-help.ts";

export function helpCommand(program: Command, world: Pick<World, "stdout" | "command">): Command {
  return new Command("help")
    .description("Show what a command does, and an example.")
    .argument("[command...]", "such as: team task create; or modes: when to use one agent, sub-agents or a team")
    .addHelpText("after", "\nExamples:\n  tool help team status\n  tool help modes")
    .action((words: string[]) => {
      if (words.join(" ") === "modes") world.stdout.write(asTyped(modesHelp, world.command));
      else commandAt(program, words).outputHelp();
    });
}

/** Throws UsageError with the known names. */
function commandAt(program: Command, words: string[]): Command {
  return words.reduce((command, word) => {
    const there = command.createHelp().visibleCommands(command);
    const found = there.find((child) => child.name() === word);
    if (found) return found;
    const path = [program.name(), ...words.slice(0, words.indexOf(word))].join(" ");
    const names = there.map((child) => child.name()).join(", ");
    throw new UsageError(`${path} has no command ${JSON.stringify(word)}. ${names ? `Its commands: ${names}` : "It has none"}.`);
  }, program);
}
