// `tool ignore check`: which paths .toolignore hides from agents, by which of its lines.
import { Command } from "commander";
import type { Finish, World } from "../../app/world.ts";
import type { IgnoreFlags } from "./ignore-check.ts";

export function ignoreCommand(world: World, finish: Finish): Command {
  const ignore = new Command("ignore")
    .description("What .toolignore hides from agents.")
    .addHelpText("after", "\nExample:\n  tool ignore check secrets/ .env");
  ignore.addCommand(
    new Command("check")
      .description("Print those of the paths that are hidden. Exit code: 0 some are, 1 none is, 2 it could not be found out.")
      .argument("[paths...]", "relative to the working directory; a slash at the end says that it is a folder")
      .option("--stdin", "read paths from standard input, one a line; separated by zero bytes when there are any")
      .option("--patterns <file>", "use the patterns of this file, for paths relative to the working directory, instead of .toolignore")
      .option("-v, --verbose", "print the file, the line and the pattern before each path, and paths that a line brings back as well")
      .option("--json", "print one JSON object a line for every path")
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
