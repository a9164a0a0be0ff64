// What the slash commands of a team's pane do in addition to those of every pane: they answer for the whole team from its files.

import { costText } from "../../../screen/commands/cost-text.ts";
import type { SessionControls } from "../../../screen/commands/session-commands.ts";
import { agentTable } from "../../../screen/team/agent-table.ts";
import { teamAgentsText, teamCostText } from "../../../screen/team/team-members.ts";
import { teamStatusText } from "../../../screen/team/team-status.ts";
import type { Pane } from "../../../screen/terminal/pane.ts";
import { agentsAtWork, type TeamAtWork, teamAtWork } from "../../../team/agents-at-work.ts";
import type { ProcessTable } from "../../../team/member-process.ts";
import type { ControlsSetup } from "../../controls/controls-setup.ts";
import { sharedControls } from "../../controls/shared-controls.ts";
import { widthOf } from "../../print/print-reply.ts";
import { failureActions } from "../../session/agents/failed-agent.ts";
import { exportSession } from "../../session/export-session.ts";
import { sessionTasks } from "../../session/session-tasks.ts";
import type { Member } from "./member.ts";

export type MemberFlow = {
  processes: ProcessTable;
  /** At once, or after the current run of turns. */
  compact(focus: string): void;
  /** Called when the session has new input. */
  wake(): void;
  exit: SessionControls["exit"];
  /** Aborts when the member's process is about to end. */
  ending: AbortSignal;
};

export function memberControls(
  setup: ControlsSetup & { member: Member; pane: Pane },
  { processes, compact, wake, exit, ending }: MemberFlow,
): SessionControls {
  const { member, style, session } = setup;
  const now = () => member.clock.now();
  const team = () => teamNow(member, processes);
  const { name, options, cwd } = member.launch;
  const { setMode, ...shared } = sharedControls({ ...setup, ...(name === "lead" && { withdrawFromTeam: member.grants.withdraw }) });
  return {
    ...shared,
    ...((name !== "lead" || options.leadMayEdit) && { setMode }),
    async tasks(words) {
      const teammates = agentTable(agentsAtWork(team(), now()), style, widthOf(setup.world.stdout));
      const { agents, failures } = member;
      if (!agents) return teammates;
      const actions = failureActions({ agents, failures, session, work: member.work }, { wake, now });
      const own = await sessionTasks(words, {
        ...actions,
        commands: member.work.commands.all,
        style,
        nowMs: () => now().getTime(),
      });
      return words.trim() === "" ? `${teammates}\n\n${own}` : own;
    },
    agents: () => teamAgentsText({ ...team(), me: member.launch.name }, style),
    cost: () => `${costText(setup.events(), session.spending())}\n${teamCostText(team().status, style)}`,
    team: () => teamStatusText(team().status, { style, now: now(), command: setup.world.command, columns: widthOf(setup.world.stdout) }),
    compact,
    // not into its own worktree, whose content is merged
    export: exportSession({ ...setup, world: { ...setup.world, cwd }, id: session.id, nowMs: () => now().getTime(), ending }),
    exit,
  };
}

/** Throws if something cannot be read; the person who asked sees the error. */
function teamNow({ board, disk, clock }: Member, processes: ProcessTable): TeamAtWork {
  const read = teamAtWork({ board, disk, clock, processes });
  if (!read.ok) throw new Error(read.reason);
  return read.team;
}
