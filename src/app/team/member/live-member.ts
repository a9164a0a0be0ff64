// A member's session in its pane: what can be typed there, and why some commands of a solo session cannot.
import type { SessionControls } from "../../../screen/commands/session-commands.ts";
import type { Style } from "../../../screen/style.ts";
import type { Pane } from "../../../screen/terminal/pane.ts";
import type { ProcessTable } from "../../../team/member-process.ts";
import type { Completions } from "../../controls/line-editor.ts";
import { type Live, liveCommands, liveKeys, openLive } from "../../session/screen/live-session.ts";
import type { Waker } from "../../waker.ts";
import type { World } from "../../world.ts";
import type { Member } from "./member.ts";
import { memberControls } from "./member-controls.ts";
import { walkPanes } from "./walk-panes.ts";

type Place = { pane: Pane; style: Style; completions: Completions; wake: Waker; ending: AbortSignal };

export function liveMember(member: Member, { pane, style, completions, wake, ending }: Place): Live {
  const { session, work, skills, agents, clock, hooks } = member;
  const nowMs = () => clock.now().getTime();
  return openLive({ pane, style, wake, completions, session, work, skills, agents, alert: hooks.alert, nowMs, leaving: ending });
}

export type MemberKeysSetup = {
  world: World;
  member: Member;
  live: Live;
  processes: ProcessTable;
  exit: SessionControls["exit"];
  /** The members whose names are completed. */
  names: () => string[];
};

/** What lead and teammate have alike, for `pane.attach`. */
export function memberKeys({ world, member, live, processes, exit, names }: MemberKeysSetup) {
  const { pane, style, compaction, wake, leaving, completions } = live;
  const controls = memberControls(
    { ...member, member, world, pane, style, scripted: member.script !== undefined },
    { processes, compact: compaction.ask, wake: wake.notify, exit, ending: leaving },
  );
  const commands = liveCommands(live, controls);
  Object.assign(completions, { commands, paths: member.work.paths, agents: names });
  const explain = (name: string) =>
    soloAlone.has(name) ? `/${name} is for a session of one agent: ${othersAnswered}` : member.skills.explain(name);
  const keys = liveKeys(live, { commands, explain });
  const walk = walkPanes(world, member.board, member.launch.name);
  return { ...keys, onNextPane: walk };
}

const soloAlone = new Set(["rewind", "clear", "resume"]);
const othersAnswered = "others have answered what this one said. /compact makes its conversation shorter.";
