// `tool team …`: TOOL_EXPERIMENTAL_AGENT_TEAMS=1 is needed to make or start a team. Without it, these commands exit with code 2 and write nothing;
// every command about an existing team works, and so does resuming one.
import { Command } from "commander";
import { type Finish, UsageError, type World } from "../../app/world.ts";
import { teamAnswerCommand } from "./answer.ts";
import { teamAttachCommand } from "./attach.ts";
import { teamCreateCommand } from "./create.ts";
import { teamDeleteCommand } from "./delete.ts";
import { teamExecCommand } from "./exec.ts";
import { teamGcCommand } from "./gc.ts";
import { teamInboxCommand } from "./inbox.ts";
import { teamListCommand } from "./list.ts";
import { teamLogCommand } from "./log.ts";
import { teamMcpCommand } from "./mcp.ts";
import { teamReportCommand } from "./report.ts";
import { teamSendCommand } from "./send.ts";
import { addTeamStart, refuseTypo, teamExamples } from "./start.ts";
import { teamStatusCommand } from "./status.ts";
import { teamStopCommand } from "./stop.ts";
import { teamTaskCommand } from "./task.ts";
import { teamTasksCommand } from "./tasks.ts";

export function teamCommand(world: World, finish: Finish): Command {
  const team = new Command("team").description(
    "Several agents on one repository: a lead, teammates, one task list, messages. Experimental: starting one needs TOOL_EXPERIMENTAL_AGENT_TEAMS=1.",
  );
  // Checked before the subcommand's arguments, because a missing argument does not matter while teams are off.
  team.hook("preSubcommand", (_team, command) => {
    if (command.name() === "create" && !world.argv.some((word) => word === "--help" || word === "-h")) requireTeams(world);
  });
  team.hook("preAction", (_team, action) => {
    if (action !== team) return;
    refuseTypo(team, world); // a misspelled word may be meant for a command that needs no teams
    if (team.opts<{ resume?: string | true }>().resume === undefined) requireTeams(world);
  });
  const commands = [
    teamCreateCommand,
    teamListCommand,
    teamStatusCommand,
    teamAttachCommand,
    teamStopCommand,
    teamReportCommand,
    teamGcCommand,
    teamDeleteCommand,
    teamTasksCommand,
    teamTaskCommand,
    teamSendCommand,
    teamInboxCommand,
    teamAnswerCommand,
    teamLogCommand,
    teamExecCommand,
    teamMcpCommand,
  ];
  for (const command of commands) team.addCommand(command(world, finish));
  addTeamStart(team, world, finish);
  return team.addHelpText("after", teamExamples);
}

function requireTeams(world: World): void {
  if (world.env["TOOL_EXPERIMENTAL_AGENT_TEAMS"] === "1") return;
  throw new UsageError(
    "teams are an experimental feature and off. Set TOOL_EXPERIMENTAL_AGENT_TEAMS=1 to enable them. Nothing was started.",
  );
}
