// `tool [prompt]`: the arguments and flags of a session with one agent, interactive or not.
import { type Command, Option } from "commander";
import type { SessionFlags } from "../app/agent-flags.ts";
import type { Finish, World } from "../app/world.ts";
import { addAgentOptions, outputFormatOption } from "./agent-options.ts";
import { type Known, refuseBareWord, refuseUnquoted } from "./bare-word.ts";

/** Adds the arguments and the action to the program itself. */
export function addSession(program: Command, world: World, finish: Finish): void {
  program
    .argument("[prompt]", "the first message")
    .option("-p, --print", "no screen: do the work, print the result, exit; the prompt can be piped in")
    .addOption(outputFormatOption())
    .addOption(new Option("--json", "with --print: the same as --output-format json").conflicts("outputFormat"))
    .option("--schema", "with --print: only print the JSON Schema of a line of stream-json")
    .option("--until <command>", "work on until this command succeeds; it runs after each end of turn")
    .option("--agent <name>", "work as this agent: its instructions, tools and model; such as coordinator")
    .option("--worktree [name]", "work apart from this tree, in a git worktree beside it; tool take brings the work in")
    .option(
      "--place <name>",
      "run its commands and change files on another machine, a place that your settings name, in a worktree; home: on this machine again",
    )
    .option("-c, --continue", "resume the newest session of this folder or its worktrees")
    .option("-r, --resume [id]", "resume a session of this folder; without an id, choose one");
  addAgentOptions(program).action(async (prompt: string | undefined, flags: SessionFlags) => {
    refuseBareWord(prompt, knownWords(program), world);
    refuseUnquoted(program.args, "tool", knownWords(program));
    const { startSession } = await import("../app/session/start-session.ts");
    finish(await startSession(world, { prompt, flags: flags.json ? { ...flags, outputFormat: "json" } : flags }));
  });
}

/** Commands first, then flags that people type as commands, then the team's commands and flags. */
export function knownWords({ commands }: Command): Known[] {
  const shown = (all: readonly Command[]) => all.filter((command) => !(command as Command & { _hidden?: boolean })._hidden);
  const teams = commands.find((command) => command.name() === "team")?.commands ?? [];
  return [
    ...shown(commands).map((command) => ({ name: command.name(), as: `tool ${command.name()}` })),
    ...["continue", "resume", "print", "version", "help"].map((name) => ({ name, as: `tool --${name}` })),
    ...shown(teams).map((command) => ({ name: command.name(), as: `tool team ${command.name()}` })),
  ];
}
