// `tool watch`: one screen for everything that runs on this machine.
import { Command } from "commander";
import type { Finish, World } from "../app/world.ts";

export function watchCommand(world: World, finish: Finish): Command {
  return new Command("watch")
    .description("Show everything that runs on this machine, in all folders: sessions, teams, batches and agents, and who needs you.")
    .option("--print", "print it once, as plain lines")
    .option("--json", "print it once, as JSON")
    .addHelpText(
      "after",
      "\nKeys: Up and Down, Enter answers a question or goes to the pane, t shows the transcript, q leaves.\n\nExample:\n  tool watch",
    )
    .action(async (flags: { print?: boolean; json?: boolean }) => {
      const { runWatch } = await import("../app/watch/watch.ts");
      finish(await runWatch(world, flags));
    });
}
