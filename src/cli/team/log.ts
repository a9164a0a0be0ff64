// `tool team log`: prints the events so far, or follows them.
import { dirname } from "node:path";
import { Command } from "commander";
import { waker } from "../../app/waker.ts";
import type { Finish, World } from "../../app/world.ts";

type Options = { follow?: boolean; team?: string; json?: boolean };

const pollMs = 1_000;

export function teamLogCommand(world: World, finish: Finish): Command {
  return new Command("log")
    .description("Show the team's log of events.")
    .argument("[team]", "which team")
    .option("--follow", "follow the log until Ctrl-C")
    .option("--team <name>", "which team")
    .option("--json", "print each event as a line of JSON")
    .addHelpText("after", "\nExample:\n  tool team log --team atlas --follow")
    .action(async (team: string | undefined, options: Options) => {
      const { teamNamed } = await import("../../app/team/open-team.ts");
      return showLog(world, finish, { ...options, team: teamNamed(team, options.team) });
    });
}

async function showLog(world: World, finish: Finish, { follow, team, json }: Options): Promise<void> {
  const { openTeamToSee } = await import("../../app/team/open-team.ts");
  const { printLine } = await import("../../screen/events/team-lines.ts");
  const { board, record } = await openTeamToSee(world, team);
  const startedAt = new Date(record.created_at);
  const follower = board.follow();
  const print = () => {
    for (const event of follower.next()) {
      const line = json ? JSON.stringify(event) : printLine(event, startedAt);
      if (line !== undefined) world.stdout.write(`${line}\n`);
    }
    return world.stdout.drained();
  };
  if (!follow) {
    await print();
    return finish(0);
  }
  const ending = new AbortController();
  const wake = waker();
  const stopSignals = world.onSignal(() => ending.abort());
  const watch = await world.edges.watch();
  const stopWatching = watch.watch([board.layout.log, board.layout.tasks].map(dirname), () => wake.notify(), { pollMs });
  try {
    while (!ending.signal.aborted && (await print()) === "open") await wake.next(ending.signal);
    finish(ending.signal.aborted ? 130 : 0);
  } finally {
    stopWatching();
    stopSignals();
  }
}
