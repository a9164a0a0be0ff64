// `tool agents`: lists the definitions, shows one, and validates definition files.
import { Command } from "commander";
import type { AgentFlags } from "../../app/agent-flags.ts";
import type { Finish, World } from "../../app/world.ts";
import { addAgentOptions } from "../agent-options.ts";
import { asPerson } from "../as-person.ts";

type Flags = { json?: boolean; trust?: boolean };

export function agentsCommand(world: World, finish: Finish): Command {
  const command = new Command("agents")
    .description("Show and check the definitions of agents.")
    .addHelpText("after", `${places}\n\nExamples:\n  tool agents\n  tool agents validate .tool/agents`);
  const list = new Command("list")
    .description("List the agents of this project and your own, and report mistakes in their files.")
    .option("--trust", "read the project's definitions even if you have not trusted the project")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  tool agents list")
    .action(async (flags: Flags) => {
      const { listAgents } = await import("./list.ts");
      finish(await listAgents(world, flags));
    });
  command.addCommand(list, { isDefault: true });
  command.addCommand(
    new Command("show")
      .description("Show one definition as the program reads it.")
      .argument("<definition>", "the name of an agent")
      .option("--trust", "read the project's definitions even if you have not trusted the project")
      .option("--json", "print JSON")
      .addHelpText("after", "\nExample:\n  tool agents show reviewer")
      .action(async (name: string, flags: Flags) => {
        const { showAgent } = await import("./list.ts");
        finish(await showAgent(world, name, flags));
      }),
  );
  command.addCommand(
    addAgentOptions(new Command("resume"))
      .description(
        "Resume an agent of a session that has ended, and add its report to that session. In a terminal you are asked for missing permissions.",
      )
      .argument("<agent>", "its id or its name")
      .option("--json", "print JSON")
      .addHelpText("after", "\nExamples:\n  tool agents resume a-3f2c\n  tool agents resume a-3f2c --max-turns 40")
      .action(async (id: string, { json, ...flags }: AgentFlags & Flags) => {
        const { resumeAgent } = await import("../../app/session/agents/resume-agent.ts");
        finish(await resumeAgent(world, { id, flags, json }));
      }),
  );
  command.addCommand(
    new Command("stop")
      .description("Stop an agent, even one of a session in another process. Its session gets what the agent has so far.")
      .argument("<agent>", "its id or its name")
      .option("--json", "print JSON")
      .addHelpText("after", "\nExample:\n  tool agents stop a-3f2c")
      .action((id: string, { json }: Flags) =>
        asPerson({ world, finish }, async () => {
          const { stopAgent } = await import("../../app/session/agents/stop-agent.ts");
          finish(await stopAgent(world, { id, json }));
        }),
      ),
  );
  command.addCommand(
    new Command("validate")
      .description("Report every mistake in agent definitions. Exit code 1 when one of them cannot be used.")
      .argument("[path...]", "files, and folders of *.md files; without one, all definitions of this project and your own")
      .option("--json", "print JSON")
      .addHelpText(
        "after",
        "\nExamples:\n  tool agents validate\n  tool agents validate .tool/agents\n  tool agents validate ~/.tool/agents/reviewer.md --json",
      )
      .action(async (paths: string[], flags: Flags) => {
        const { validateAgents } = await import("./validate.ts");
        finish(await validateAgents(world, paths, flags));
      }),
  );
  return command;
}

const places = `
A definition is a Markdown file with front matter, in .tool/agents or .claude/agents of the project or in ~/.tool/agents:

    ---
    name: reviewer
    description: Reviews a change for mistakes
    tools: Read, Grep, Bash(git diff *)
    model: haiku
    maxTurns: 20
    ---
    You review the change that you are given. …

Further keys: disallowedTools, permissionMode, background, isolation, context, color, skills, effort.`;
