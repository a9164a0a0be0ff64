// `tool acp`: an agent for editors that speak the Agent Client Protocol.
import { Command, Option } from "commander";
import type { AgentFlags } from "../app/agent-flags.ts";
import { type ExitCode, type Finish, UsageError, type World } from "../app/world.ts";
import { addAgentOptions } from "./agent-options.ts";
import { asPerson } from "./as-person.ts";

const more = `
The editor starts this program and speaks with it over stdin and stdout; there is nothing to type. How Zed and Neovim are told: docs/editors.md

Examples:
  tool acp
  tool acp --permission-mode plan --model opus`;

export function acpCommand(world: World, finish: Finish): Command {
  const command = new Command("acp").description("Work in an editor, by the Agent Client Protocol on stdin and stdout.");
  return addAgentOptions(command)
    .addOption(new Option("--setup", "ask for a key in this terminal, and keep it").hideHelp())
    .addHelpText("after", more)
    .action(async ({ setup, ...flags }: AgentFlags & { setup?: boolean }) => {
      await asPerson({ world, finish }, async () => {
        if (setup) return finish(await setUp(world, flags));
        const { serveAcp } = await import("../app/acp/serve-acp.ts");
        finish(await serveAcp(world, flags));
      });
    });
}

/** What an editor opens a terminal for. */
async function setUp(world: World, flags: AgentFlags): Promise<ExitCode> {
  if (!world.stdin.isTTY || !world.stdout.isTTY) throw new UsageError("--setup needs a terminal.");
  const { runAttended } = await import("../app/session/screen/attended-session.ts");
  return runAttended(world, { prompt: undefined, flags: { ...flags, outputFormat: "text", setupOnly: true } });
}
