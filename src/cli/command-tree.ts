// The command tree. Each command turns its flags into one call and imports its target inside the action.
import { Command, CommanderError } from "commander";
import { asTyped } from "../app/controls/as-typed.ts";
import { fitted, fittedHelp } from "../app/print/fitted.ts";
import type { ExitCode, Finish, Output, World } from "../app/world.ts";
import { acpCommand } from "./acp.ts";
import { agentsCommand } from "./agents/agents.ts";
import { batchCommand } from "./batch.ts";
import { changesCommand, dropCommand, takeCommand } from "./changes/changes.ts";
import { completeCommand } from "./complete.ts";
import { completionCommand } from "./completion.ts";
import { demoCommand } from "./demo.ts";
import { displayCommand } from "./display.ts";
import { doctorCommand } from "./doctor.ts";
import { noSuchCommand, optionMeant, refuseExcessWords } from "./excess-words.ts";
import { answerHelpWord, helpCommand } from "./help.ts";
import { hooksCommand } from "./hooks/hooks.ts";
import { mcpCommand } from "./mcp/mcp.ts";
import { ignoreCommand } from "./permissions/ignore.ts";
import { permissionsCommand } from "./permissions/permissions.ts";
import { placeCommand } from "./place.ts";
import { privacyCommand } from "./privacy.ts";
import { secretsCommand } from "./secrets.ts";
import { addSession } from "./session.ts";
import { configCommand } from "./settings/config.ts";
import { importCommand } from "./settings/import.ts";
import { skillsCommand } from "./skills/skills.ts";
import { tasksCommand } from "./tasks.ts";
import { teamCommand } from "./team/team.ts";
import { watchCommand } from "./watch.ts";

/** Runs the command that argv names and resolves with its exit code. Prints usage errors itself and throws all others. */
export async function runCommand(world: World): Promise<ExitCode> {
  let code: ExitCode = 0;
  const printed: { output: Output; text: string }[] = [];
  const finish: Finish = (result) => {
    code = result;
  };
  const program = createProgram(world, finish, (output, text) => void printed.push({ output, text }));
  try {
    await program.parseAsync(world.argv, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    throw error;
  } finally {
    for (const { output, text } of printed)
      output.write(await (output === world.stdout ? fittedHelp : fitted)(output, asTyped(text, world.command)));
  }
}

type Print = (output: Output, text: string) => void;

/** The whole tree. No command's code is loaded before it runs. `print`: for help, and for errors of the command line. */
export function createProgram(world: World, finish: Finish, print: Print = (output, text) => output.write(text)): Command {
  const program = new Command("tool")
    .description("A terminal coding agent for people who let several agents work on one repository at once.")
    .version(world.version, "-v, --version", "print the version")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => print(world.stdout, text),
      writeErr: (text) => print(world.stderr, text),
      outputError: (text, write) => write(plainError(text)),
    })
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .helpCommand(false)
    .helpOption("-h, --help", "show this help")
    .addHelpText("after", examples);
  addSession(program, world, finish);
  const made = (command: (world: World, finish: Finish) => Command) => command(world, finish);
  const [team, batch] = [teamCommand, batchCommand].map(made) as [Command, Command];
  const groups: Record<string, Command[]> = {
    "Start work:": [team, batch, demoCommand(world, finish)],
    "See and take what was made:": [tasksCommand, changesCommand, takeCommand, dropCommand, watchCommand].map(made),
    "What agents work with:": [agentsCommand, hooksCommand, skillsCommand, mcpCommand, acpCommand].map(made),
    "Rules and settings:": [permissionsCommand, configCommand, ignoreCommand, importCommand].map(made),
    "Where it works:": [displayCommand, placeCommand, doctorCommand].map(made),
    "What leaves this machine:": [secretsCommand, privacyCommand].map(made),
    "Help:": [completionCommand(world), helpCommand(program, world)],
  };
  for (const [heading, commands] of Object.entries(groups)) {
    program.commandsGroup(heading);
    for (const command of commands) program.addCommand(command);
  }
  program.addCommand(completeCommand(world, program), { hidden: true });
  program.allowExcessArguments();
  program.hook("preAction", (_program, command) => {
    if (![program, team, batch].includes(command)) refuseExcessWords(command, world); // their own message shows the prompt in quotes
  });
  inheritSettings(program, world);
  answerHelpWord(program); // after that, because help commands are inherited too
  return program.showHelpAfterError("All commands and flags: tool --help");
}

/** Commander's message in our words, with what was probably meant. */
function ownError(text: string, command: Command, world: Pick<World, "argv">): string {
  const [, what, name = ""] = /^error: unknown (command|option) '(.*)'\n$/s.exec(text) ?? [];
  if (what === "command") return `tool: ${noSuchCommand(command, command.args, world)}\n`;
  const meant = what === "option" ? optionMeant(command, name, world) : "";
  return meant === "" ? plainError(text) : `tool: unknown option '${name}'. ${meant}\n`;
}

function plainError(text: string): string {
  return text.replace(/^error: /, "tool: ").replace(/command-argument value ('.*?') is invalid for argument '(.*?)'\./s, "$1 is not a $2.");
}

const examples = `
Examples:
  tool                                               a session in this folder
  tool --print "Why does the test of the parser fail?"
  git diff | tool --print "Review this" --output-format json
  tool --print --until "npm test" "Fix the failing tests"
  tool --continue
  tool team "Port the report module to the new parser"
  tool batch "Replace the logger with pino" --plan-only
  tool --agent coordinator "Move every module to the new logger"
  tool demo coordinator
  tool watch                                         everything that runs on this machine, and who needs you
  tool help team status
  tool help modes                                    when to use one agent, sub-agents or a team

Teams are experimental: TOOL_EXPERIMENTAL_AGENT_TEAMS=1 is needed to start a team. Commands about an existing team work without it.`;

/**
 * A command that was made separately does not inherit the parent's error output, nor the rule that options after a subcommand belong to the
 * subcommand.
 */
function inheritSettings(command: Command, world: Pick<World, "argv">, parent = command.name()): void {
  for (const child of command.commands) {
    child.copyInheritedSettings(command);
    child.configureOutput({ outputError: (text, write) => write(ownError(text, child, world)) });
    const path = `${parent} ${child.name()}`;
    child.showHelpAfterError(`See: ${path} --help`);
    inheritSettings(child, world, path);
  }
}
