// `tool [prompt]`: the arguments and flags of a session for one agent, with a screen or without.
import type { Command } from "commander";
import type { SessionFlags } from "../app/agent-flags.ts";
import { type Finish, UsageError, type World } from "../app/world.ts";
import { edits } from "../screen/commands.ts";
import { addAgentOptions, outputFormatOption } from "./agent-options.ts";

/** Adds the arguments and the action to the program itself. */
export function addSession(program: Command, world: World, finish: Finish): void {
  program
    .argument("[prompt]", "what to do first")
    .option("-p, --print", "no screen: work, print the result, end; the prompt may come on standard input")
    .addOption(outputFormatOption())
    .option("--schema", "with --print: the JSON Schema of a line of stream-json, and nothing else")
    .option("-c, --continue", "go on with the newest session of this folder")
    .option("-r, --resume [id]", "go on with a session of this folder; without an id, choose one");
  addAgentOptions(program).action(async (prompt: string | undefined, flags: SessionFlags) => {
    if (!flags.print) refuseTypo(program, prompt);
    const { startSession } = await import("../app/session/start-session.ts");
    finish(await startSession(world, { prompt, flags }));
  });
}

/** A single word that is nearly a command's name is more likely a slip than work for an agent. */
function refuseTypo(program: Command, prompt: string | undefined): void {
  if (!prompt || !/^[a-z]{3,12}$/.test(prompt)) return;
  const near = program.commands.filter((command) => isShown(command) && edits(command.name(), prompt) <= 2);
  if (near.length === 0) return;
  const names = near.map((command) => `tool ${command.name()}`).join(" or ");
  throw new UsageError(
    `"${prompt}" is not a command of tool. Did you mean ${names}? If it is meant as a prompt: tool --print "${prompt}", or more words.`,
  );
}

const isShown = (command: Command) => !(command as Command & { _hidden?: boolean })._hidden;
