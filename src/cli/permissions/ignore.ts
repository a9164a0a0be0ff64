// `tool ignore check`: shows which paths .toolignore hides from agents, and by which line.
import { Command } from "commander";
import type { Finish, World } from "../../app/world.ts";
import type { IgnoreFlags } from "./ignore-check.ts";

export function ignoreCommand(world: World, finish: Finish): Command {
  const ignore = new Command("ignore")
    .description("Show what .toolignore hides from agents.")
    .addHelpText("after", "\nExample:\n  tool ignore check secrets/ .env");
  ignore.addCommand(
    new Command("check")
      .description("Print the paths that are hidden. Exit code: 0 some are, 1 none is, 2 an error.")
      .argument("[paths...]", "relative to the working directory; a trailing slash marks a folder")
      .option("--stdin", "read paths from standard input, one per line, or separated by zero bytes")
      .option("--patterns <file>", "use the patterns of this file, for paths relative to the working directory, instead of .toolignore")
      .option("-v, --verbose", "print the file, line and pattern before each path, also for paths that a line un-hides")
      .option("--json", "print one JSON object per line for every path")
      .addHelpText(
        "after",
        "\nExamples:\n  tool ignore check secrets/ .env\n  git ls-files | tool ignore check --stdin --patterns draft.txt",
      )
      .action(async (paths: string[], flags: IgnoreFlags) => {
        const { checkIgnored } = await import("./ignore-check.ts");
        finish(await checkIgnored(world, paths, flags));
      }),
  );
  return ignore;
}
