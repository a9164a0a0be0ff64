// `tool help [command…]`: the same as --help after that command. `tool help modes` explains when to use which mode.
import { Command } from "commander";
import { asTyped } from "../app/controls/as-typed.ts";
import { UsageError, type World } from "../app/world.ts";
import { didYouMean, suggestions } from "./bare-word.ts";
import { modesHelp } from "./modes-help.ts";

export function helpCommand(program: Command, world: Pick<World, "stdout" | "command">): Command {
  return new Command("help")
    .description("Show what a command does, and an example.")
    .argument("[command...]", "such as: team task create; or modes: when to use one agent, sub-agents or a team")
    .addHelpText("after", "\nExamples:\n  tool help team status\n  tool help modes")
    .action(async (words: string[]) => {
      const { fittedHelp } = await import("../app/print/fitted.ts");
      if (words.join(" ") === "modes") world.stdout.write(await fittedHelp(world.stdout, asTyped(modesHelp, world.command)));
      else commandAt(program, words).outputHelp();
    });
}

/** Makes `tool team help` the same as `tool help team`, for every command that can be run without arguments. */
export function answerHelpWord({ commands }: { commands: readonly Command[] }): void {
  for (const command of commands) {
    // Hidden, so that the list of commands stays short.
    const help = Object.assign(new Command("help").description("Show what a command does.").argument("[command]"), { _hidden: true });
    const takesWord = command.registeredArguments.some(({ required, variadic }) => required || variadic);
    if (command.name() !== "help" && !takesWord) command.addHelpCommand(help);
    answerHelpWord({ commands: command.commands.filter((child) => child.commands.length > 0) });
  }
}

/** Throws UsageError with the known names. */
function commandAt(program: Command, words: string[]): Command {
  return words.reduce((command, word) => {
    const there = command.createHelp().visibleCommands(command);
    const found = there.find((child) => child.name() === word);
    if (found) return found;
    const path = [program.name(), ...words.slice(0, words.indexOf(word))].join(" ");
    const names = there.map((child) => child.name());
    const [, ...above] = path.split(" ");
    const known = names.map((name) => ({ name, as: [program.name(), "help", ...above, name].join(" ") }));
    if (command === program) known.push({ name: "modes", as: `${program.name()} help modes` });
    const hint = didYouMean(suggestions(word, known)) || (names.length > 0 ? `Its commands: ${names.join(", ")}.` : "It has none.");
    throw new UsageError(`${path} has no command ${JSON.stringify(word)}. ${hint}`);
  }, program);
}
