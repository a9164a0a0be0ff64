// The command tree. Each command turns its flags into one call and imports its target inside the action.
import { Command, CommanderError } from "commander";
import { teamCommand } from "./team.ts";
import type { ExitCode, World } from "./world.ts";

/** Runs the command that argv names; resolves with its exit code. Prints wrong usage itself, and throws whatever else goes wrong. */
export async function runCommand(world: World): Promise<ExitCode> {
  let code: ExitCode = 0;
  const finish = (result: ExitCode) => {
    code = result;
  };
  const program = new Command("tool")
    .description("A terminal coding agent for people who let several agents work on one repository at once.")
    .version(world.version, "-v, --version")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => world.stdout.write(text),
      writeErr: (text) => world.stderr.write(text),
      outputError: (text, write) => write(text.replace(/^error: /, "tool: ")),
    })
    .enablePositionalOptions()
    .showSuggestionAfterError();
  program.addCommand(teamCommand(world, finish));
  inheritSettings(program);
  try {
    await program.parseAsync(world.argv, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  }
}

/** A command made apart from its parent knows nothing of where errors go, and that an option after a command's name is that command's. */
function inheritSettings(command: Command): void {
  for (const child of command.commands) {
    child.copyInheritedSettings(command);
    inheritSettings(child);
  }
}
