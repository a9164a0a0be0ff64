// The command tree. Each command turns its flags into one call and imports its target inside the action.
import { Command, CommanderError } from "commander";
import { completeCommand } from "./complete.ts";
import { completionCommand } from "./completion.ts";
import { helpCommand } from "./help.ts";
import { leadCommand } from "./lead-pane.ts";
import { type Finish, teamCommand } from "./team.ts";
import { teammateCommand } from "./teammate.ts";
import { type ExitCode, UsageError, type World } from "./world.ts";

/** Runs the command that argv names. Prints errors itself; resolves with the exit code and never throws. */
export async function run(world: World): Promise<ExitCode> {
  let code: ExitCode = 0;
  const program = createProgram(world, (result) => {
    code = result;
  });
  try {
    await program.parseAsync(world.argv, { from: "user" });
    return code;
  } catch (error) {
    return exitCodeOf(error, world);
  }
}

/** The whole tree. Nothing is loaded for a command before it runs. */
export function createProgram(world: World, finish: Finish): Command {
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
    .showSuggestionAfterError()
    .helpCommand(false)
    .addHelpText("after", `${examples}\n\n${noSession}`);
  program.addCommand(teamCommand(world, finish));
  program.addCommand(completionCommand(world));
  program.addCommand(helpCommand(program));
  program.addCommand(teammateCommand(world, finish), { hidden: true });
  program.addCommand(leadCommand(world, finish), { hidden: true });
  program.addCommand(completeCommand(world, program), { hidden: true });
  inheritSettings(program);
  return program.showHelpAfterError(noSession);
}

const examples = `
Examples:
  tool team "Port the report module to the new parser"
  tool team --demo
  tool help team status`;

const noSession = "The interactive session for one agent (tool, tool -p) is not there yet: this version runs teams.";

/** A command made apart from its parent knows nothing of where errors go, and that an option after a command's name is that command's. */
function inheritSettings(command: Command): void {
  for (const child of command.commands) {
    child.copyInheritedSettings(command);
    inheritSettings(child);
  }
}

function exitCodeOf(error: unknown, world: World): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof UsageError) {
    world.stderr.write(`tool: ${error.message}\n`);
    return 2;
  }
  world.stderr.write(`tool: ${error instanceof Error ? error.message : String(error)}${diskAdvice(error, world)}\n`);
  if (world.env["TOOL_DEBUG"] && error instanceof Error) world.stderr.write(`${error.stack}\n`);
  return 1;
}

/** What to do when the disk under the configuration folder refused. */
function diskAdvice(error: unknown, { configDir }: World): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (!["ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM", "ENOTDIR", "EIO"].includes(code)) return "";
  return `. Everything of a team lies in ${configDir}: make room there and make it writable, or set TOOL_CONFIG_DIR to another folder.`;
}
