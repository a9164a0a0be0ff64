// `tool team …`: without TOOL_EXPERIMENTAL_AGENT_TEAMS=1 a team can be looked at, stopped and cleared away. Everything else ends with exit
// code 2 and writes nothing.
import { Command } from "commander";
import { teamAnswerCommand } from "./team-answer.ts";
import { teamAttachCommand } from "./team-attach.ts";
import { teamCreateCommand } from "./team-create.ts";
import { teamExecCommand } from "./team-exec.ts";
import { teamGcCommand } from "./team-gc.ts";
import { teamInboxCommand } from "./team-inbox.ts";
import { teamListCommand } from "./team-list.ts";
import { teamLogCommand } from "./team-log.ts";
import { teamReportCommand } from "./team-report.ts";
import { teamSendCommand } from "./team-send.ts";
import { addTeamStart } from "./team-start.ts";
import { teamStatusCommand } from "./team-status.ts";
import { teamStopCommand } from "./team-stop.ts";
import { teamTaskCommand } from "./team-task.ts";
import { teamTasksCommand } from "./team-tasks.ts";
import { type Finish, UsageError, type World } from "./world.ts";

export function teamCommand(world: World, finish: Finish): Command {
  const team = new Command("team").description(
    "Several agents on one repository: a lead, teammates, one task list, messages. Experimental: needs TOOL_EXPERIMENTAL_AGENT_TEAMS=1.",
  );
  const withoutTeams = (command: Command) => command.parent === team && ungated.includes(command.name());
  // Before a subcommand's own arguments are looked at: what is missing there does not matter while teams are off.
  team.hook("preSubcommand", (_team, command) => {
    if (!withoutTeams(command) && !world.argv.some((word) => word === "--help" || word === "-h")) requireTeams(world);
  });
  team.hook("preAction", (_team, action) => {
    if (!withoutTeams(action)) requireTeams(world);
  });
  const commands = [
    teamCreateCommand,
    teamListCommand,
    teamStatusCommand,
    teamAttachCommand,
    teamStopCommand,
    teamReportCommand,
    teamGcCommand,
    teamTasksCommand,
    teamTaskCommand,
    teamSendCommand,
    teamInboxCommand,
    teamAnswerCommand,
    teamLogCommand,
    teamExecCommand,
  ];
  for (const command of commands) team.addCommand(command(world, finish));
  addTeamStart(team, world, finish);
  return team;
}

const ungated = ["list", "status", "log", "tasks", "report", "attach", "stop", "gc"];

function requireTeams(world: World): void {
  if (world.env["TOOL_EXPERIMENTAL_AGENT_TEAMS"] === "1") return;
  throw new UsageError(
    "teams are an experimental feature and off. Set TOOL_EXPERIMENTAL_AGENT_TEAMS=1 to enable them. Nothing was started.",
  );
}
