// `tool team tasks`: the shared list, and why the team is stuck if it is.
import { Command } from "commander";
import type { Finish, World } from "../../app/world.ts";

export type ReadOptions = { team?: string; json?: boolean };

export function teamTasksCommand(world: World, finish: Finish): Command {
  return new Command("tasks")
    .description("Show the team's task list.")
    .argument("[team]", "which team")
    .option("--team <name>", "which team")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  tool team tasks --team atlas")
    .action(async (team: string | undefined, options: ReadOptions) => {
      const { teamNamed } = await import("../../app/team/open-team.ts");
      return showTasks(world, finish, { ...options, team: teamNamed(team, options.team) });
    });
}

export async function showTasks(world: World, finish: Finish, { team, json }: ReadOptions): Promise<void> {
  const { openTeamToSee } = await import("../../app/team/open-team.ts");
  const { printReply, styleOf, taskLines } = await import("../../app/print/print-reply.ts");
  const { operate } = await import("../../board/tasks/operations.ts");
  const { teamStatus } = await import("../../team/report/team-status.ts");
  const { stuckLines } = await import("../../screen/team/stuck-lines.ts");
  const { namesOf } = await import("../../board/team-record.ts");
  const { board, record, ports } = await openTeamToSee(world, team);
  const reply = await operate(board, { op: "TaskList" }, { name: "user", role: "user" });
  const [processes, clock] = await Promise.all([world.edges.processes(), world.edges.clock()]);
  const text = (tasks: Parameters<typeof taskLines>[0]) => {
    const seen = teamStatus({ board, disk: ports.disk, clock, processes });
    const { stalled, members } = seen.ok && seen.status.state !== "ended" ? seen.status : { stalled: [], members: [] };
    const stuck = stuckLines(stalled, { command: world.command, team: board.name, members });
    return tasks.length > 0 ? [taskLines(tasks, styleOf(world, namesOf(record))), ...stuck].join("\n") : "There are no tasks yet.";
  };
  finish(printReply(world, reply, { json, text: (success) => text("tasks" in success ? success.tasks : []) }));
}
