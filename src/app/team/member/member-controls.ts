// What the slash commands of a team's pane do in addition to those of every pane.
import type { SessionControls } from "../../../screen/commands/session-commands.ts";
import type { Pane } from "../../../screen/terminal/pane.ts";
import type { ProcessTable } from "../../../team/member-process.ts";
import type { ControlsSetup } from "../../controls/controls-setup.ts";
import { sharedControls } from "../../controls/shared-controls.ts";
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

export function memberControls(setup: ControlsSetup & { member: Member; pane: Pane }, flow: MemberFlow): SessionControls {
  const { member, session } = setup;
  const { compact, exit, ending } = flow;
  const { name, options, cwd } = member.launch;
  const { setMode, ...shared } = sharedControls({ ...setup, ...(name === "lead" && { withdrawFromTeam: member.grants.withdraw }) });
  const overview = async () => (await import("./team-overview.ts")).teamOverview(setup, flow);
  return {
    ...shared,
    ...((name !== "lead" || options.leadMayEdit) && { setMode }),
    tasks: async (words) => (await overview()).tasks(words),
    agents: async () => (await overview()).agents(),
    cost: async () => (await overview()).cost(),
    team: async () => (await overview()).team(),
    compact,
    async export(file) {
      const { exportSession } = await import("../../session/export-session.ts");
      const world = { ...setup.world, cwd }; // not into its own worktree, whose content is merged
      await exportSession({ ...setup, world, id: session.id, nowMs: () => member.clock.now().getTime(), ending })(file);
    },
    exit,
  };
}
