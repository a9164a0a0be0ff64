// `tool team …`: without TOOL_EXPERIMENTAL_AGENT_TEAMS=1 a team can be looked at, stopped and cleared away. Everything else ends with exit
// code 2 and writes nothing.
import { Command } from "commander";
import { type Finish, UsageError, type World } from "../../app/world.ts";
import { teamAnswerCommand } from "./answer.ts";
import { teamAttachCommand } from "./attach.ts";
import { teamCreateCommand } from "./create.ts";
import { teamExecCommand } from "./exec.ts";
import { teamGcCommand } from "./gc.ts";
import { teamInboxCommand } from "./inbox.ts";
import { teamListCommand } from "./list.ts";
import { teamLogCommand } from "./log.ts";
import { teamReportCommand } from "./report.ts";
import { teamSendCommand } from "./send.ts";
import { addTeamStart, refuseTypo, teamExamples } from "./start.ts";
import { teamStatusCommand } from "./status.ts";
import { teamStopCommand } from "./stop.ts";
import { teamTaskCommand } from "./task.ts";
import { teamTasksCommand } from "./tasks.ts";

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
    if (action === team) refuseTypo(team, team.args[0], world); // a slip of the finger may be for a command that needs no teams
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
  return team.addHelpText("after", teamExamples);
}

const ungated = ["list", "status", "log", "tasks", "report", "attach", "stop", "gc"];

function requireTeams(world: World): void {
  if (world.env["TOOL_EXPERIMENTAL_AGENT_TEAMS"] === "1") return;
  throw new UsageError(
    "teams are an experimental feature and off. Set TOOL_EXPERIMENTAL_AGENT_TEAMS=1 to enable them. Nothing was started.",
  );
}
