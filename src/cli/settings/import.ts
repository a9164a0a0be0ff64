// `tool import`: takes over what a person has set for other agents.
import { Command } from "commander";
import type { Finish, World } from "../../app/world.ts";
import { asPerson } from "../as-person.ts";

export function importCommand(world: World, finish: Finish): Command {
  return new Command("import")
    .description(
      "Show what can be taken over from other agents: rules, hooks, variables and MCP servers. Nothing is written without --yes.",
    )
    .option("--yes", "write it to your settings and to those of this project")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExamples:\n  tool import\n  tool import --yes")
    .action((flags: { yes?: boolean; json?: boolean }) =>
      asPerson({ world, finish }, async () => {
        const { importSettings } = await import("../../app/settings/import.ts");
        finish(await importSettings(world, flags));
      }),
    );
}
