// `tool team stop`: ends a running team from another terminal, whatever state its lead is in.
import { Command } from "commander";
import type { Finish, World } from "../../app/world.ts";
import type { Stopped } from "../../team/stop-team.ts";
import { asPerson } from "../as-person.ts";

type Options = { team?: string; json?: boolean };

export function teamStopCommand(world: World, finish: Finish): Command {
  return new Command("stop")
    .description(
      "Stop a team: its lead is asked first. Files, transcripts and the task list are kept. Harmless when the team is not running.",
    )
    .argument("[team]", "which team")
    .option("--team <name>", "which team")
    .option("--json", "print the outcome as JSON on standard output, the progress on standard error")
    .addHelpText("after", "\nExample:\n  tool team stop --team atlas")
    .action((team: string | undefined, options: Options) =>
      asPerson({ world, finish }, () => stop(world, finish, { name: team, options })),
    );
}

async function stop(world: World, finish: Finish, { name, options }: { name: string | undefined; options: Options }): Promise<void> {
  const { openTeamIfAny, teamNamed } = await import("../../app/team/open-team.ts");
  const { teamPorts } = await import("../../app/team/team-ports.ts");
  const { stopTeam } = await import("../../team/stop-team.ts");
  const { leftoverText } = await import("../../screen/team/leftover-text.ts");
  const team = await openTeamIfAny(world, teamNamed(name, options.team));
  if (!team) {
    const none = { ok: true, team: null, outcome: "nothing_ran", reaped: [], completed: 0, tasks: 0 };
    world.stdout.write(options.json ? `${JSON.stringify(none)}\n` : "Nothing to stop: no team is running.\n");
    return finish(0);
  }
  const progress = options.json ? world.stderr : world.stdout;
  const reaped: { what: string; outcome: string; how: string }[] = [];
  const stopped = await stopTeam(await teamPorts(world, team), {
    say: (text) => progress.write(`${text}\n`),
    onReaped(leftover, { kind, how }) {
      reaped.push({ what: leftoverText(leftover), outcome: kind, how });
      progress.write(`${leftoverText(leftover)}: ${how}\n`);
    },
  });
  const read = team.board.tasks.read();
  const tasks = read.ok ? read.list.tasks : [];
  const completed = tasks.filter(({ status }) => status === "completed").length;
  const outcome = { ok: stopped !== "left", team: team.record.name, outcome: stopped, reaped, completed, tasks: tasks.length };
  if (options.json) world.stdout.write(`${JSON.stringify(outcome)}\n`);
  else world.stdout.write(`${sentence(stopped, { team: team.record.name, completed, tasks: tasks.length, command: world.command })}\n`);
  finish(stopped === "left" ? 1 : 0);
}

type About = { team: string; completed: number; tasks: number; command: string };

function sentence(stopped: Stopped, { team, completed, tasks, command }: About): string {
  const done = tasks > 0 ? ` ${completed} of ${tasks} tasks are completed.` : "";
  const goOn = tasks > 0 && completed === tasks ? "" : `\n  Resume: ${command} team --resume ${team}`;
  switch (stopped) {
    case "stopped":
      return `Team ${team} is stopped.${done}\n  Report: ${command} team report --team ${team}${goOn}`;
    case "nothing_ran":
      return `Nothing to stop: team ${team} is not running.${done}`;
    case "left":
      return `Team ${team} is not fully stopped: see above for what is left.${done}`;
  }
}
