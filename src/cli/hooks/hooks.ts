// `tool hooks`: lists the hooks, and prints the schemas of their input and output.
import { Command } from "commander";
import type { Finish, World } from "../../app/world.ts";

export function hooksCommand(world: World, finish: Finish): Command {
  const command = new Command("hooks")
    .description("Show the hooks: your own programs, run at events of a session, which they can block.")
    .addHelpText("after", `${settings}\n\nExamples:\n  tool hooks\n  tool hooks schema PreToolUse`);
  const list = new Command("list")
    .description("List the hooks, each with its settings file and whether it runs. Exit code 1 when one cannot run or is left out.")
    .option("--trust", "as if you had trusted this project")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  tool hooks list --json")
    .action(async (flags: { json?: boolean; trust?: boolean }) => {
      const { listHooks } = await import("./list.ts");
      finish(await listHooks(world, flags));
    });
  command.addCommand(list, { isDefault: true });
  command.addCommand(
    new Command("schema")
      .description("Print what a hook reads at each event, or at one, and what it may print, as JSON Schema.")
      .argument("[event]", "PreToolUse, Stop, …")
      .option("--json", "print JSON (the default)")
      .addHelpText("after", "\nExample:\n  tool hooks schema PreToolUse")
      .action(async (event: string | undefined) => {
        const { printSchema } = await import("./schema.ts");
        finish(printSchema(world, event));
      }),
  );
  return command;
}

const settings = `
In a settings file, such as ~/.tool/settings.json:

    { "hooks": { "PreToolUse": [ { "matcher": "Bash", "hooks": [ { "type": "command", "command": "~/bin/check-command", "timeout": 10 } ] } ] } }

A hook reads JSON from standard input. Exit code 0 proceeds, 2 blocks with standard error as the reason, any other shows a notice.`;
