// `tool changes`, `tool take` and `tool drop`: what was made apart from the person's tree.
import { Command, Option } from "commander";
import type { ShowFlags } from "../../app/changes/show-changes.ts";
import type { TakeFlags } from "../../app/changes/take-changes.ts";
import type { Finish, World } from "../../app/world.ts";
import { asPerson } from "../as-person.ts";

export function changesCommand(world: World, finish: Finish): Command {
  return new Command("changes")
    .description("List what teams, batches and isolated agents have made apart from this tree, or show the diff of one of them.")
    .argument("[changes...]", "ids from the list, for their diff")
    .option("--stat", "only the files and how many lines of each")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  tool changes\n  tool changes a-3f2c\n  tool changes 7f3a1c/http --stat\n  tool changes a-3f2c | git apply --stat",
    )
    .action(async (ids: string[], flags: ShowFlags) => {
      const { showChanges } = await import("../../app/changes/show-changes.ts");
      finish(await showChanges(world, ids, flags));
    });
}

export function takeCommand(world: World, finish: Finish): Command {
  return new Command("take")
    .description(
      "Take changes that were made apart into the current branch, in the order that you name them. Work of yours is never overwritten.",
    )
    .argument("[changes...]", "ids from tool changes; after --, only these files and folders of them")
    .addOption(
      new Option("--as <how>", "merge commits, the commits themselves, or edits that are not committed")
        .choices(["merge", "commits", "edits"])
        .default("merge"),
    )
    .option("--continue", "go on after you have resolved a conflict, or after an interruption")
    .option("--abort", "undo a take that a conflict has stopped")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nExamples:\n  tool take a-3f2c\n  tool take atlas/task-1 atlas/task-4 --as commits\n  tool take 7f3a1c/http --as edits -- src/http docs/http.md\n  tool take --continue",
    )
    .action((words: string[], flags: TakeFlags) =>
      asPerson({ world, finish }, async () => {
        const end = world.argv.indexOf("--");
        const paths = end < 0 ? [] : world.argv.slice(end + 1);
        const { takeChanges } = await import("../../app/changes/take-changes.ts");
        finish(await takeChanges(world, { ids: words.slice(0, words.length - paths.length), paths, flags }));
      }),
    );
}

export function dropCommand(world: World, finish: Finish): Command {
  return new Command("drop")
    .description("Remove the branches and worktrees of changes that you have taken or do not want. What is not taken is named first.")
    .argument("[changes...]", "ids from tool changes")
    .option("--yes", "without a question")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExamples:\n  tool drop a-3f2c\n  tool drop --yes 7f3a1c/http 7f3a1c/db")
    .action((ids: string[], flags: { yes?: boolean; json?: boolean }) =>
      asPerson({ world, finish }, async () => {
        const { dropChanges } = await import("../../app/changes/drop-changes.ts");
        finish(await dropChanges(world, ids, flags));
      }),
    );
}
