// What a team's pane prints for /tasks, /agents, /cost and /team: it answers for the whole team from its files.
import { costText } from "../../../screen/commands/cost-text.ts";
import type { SessionControls } from "../../../screen/commands/session-commands.ts";
import { agentTable } from "../../../screen/team/agent-table.ts";
import { teamAgentsText, teamCostText } from "../../../screen/team/team-members.ts";
import { teamStatusText } from "../../../screen/team/team-status.ts";
import { agentsAtWork, type TeamAtWork, teamAtWork } from "../../../team/agents-at-work.ts";
import type { ProcessTable } from "../../../team/member-process.ts";
import type { ControlsSetup } from "../../controls/controls-setup.ts";
import { widthOf } from "../../print/print-reply.ts";
import { tasksIn } from "../../session/session-tasks.ts";
import type { Member } from "./member.ts";

type Overview = Pick<SessionControls, "tasks" | "agents" | "cost" | "team">;

type Shown = Pick<ControlsSetup, "world" | "style" | "session" | "events"> & { member: Member };

/** `wake`: called when the session has new input. */
export function teamOverview(
  { member, world, style, session, events }: Shown,
  { processes, wake }: { processes: ProcessTable; wake: () => void },
): Overview {
  const { agents, failures, work, launch, clock } = member;
  const team = () => teamNow(member, processes);
  const columns = widthOf(world.stdout);
  return {
    async tasks(words) {
      const teammates = agentTable(agentsAtWork(team(), clock.now()), style, columns);
      if (!agents) return teammates;
      const nowMs = () => clock.now().getTime();
      const own = await tasksIn({ agents, failures, session, work }, { wake, nowMs, style, columns: () => columns })(words);
      return words.trim() === "" ? `${teammates}\n\n${own}` : own;
    },
    agents: () => teamAgentsText({ ...team(), me: launch.name }, style),
    cost: () => `${costText(events(), session.spending())}\n${teamCostText(team().status, style)}`,
    team: () => teamStatusText(team().status, { style, now: clock.now(), command: world.command, columns }),
  };
}

/** Throws if something cannot be read; the person who asked sees the error. */
function teamNow({ board, disk, clock }: Member, processes: ProcessTable): TeamAtWork {
  const read = teamAtWork({ board, disk, clock, processes });
  if (!read.ok) throw new Error(read.reason);
  return read.team;
}
