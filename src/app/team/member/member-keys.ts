// What is typed in a member's pane: slash commands, with the skills that a person can use, the person's own commands, and keys.
import type { SlashCommand } from "../../../screen/commands/commands.ts";
import { type SessionControls, sessionCommands } from "../../../screen/commands/session-commands.ts";
import { toBackgroundKey } from "../../../screen/keys/keys.ts";
import type { Style } from "../../../screen/style.ts";
import type { Pane } from "../../../screen/terminal/pane.ts";
import { visibleLine } from "../../../screen/visible-text.ts";
import type { ProcessTable } from "../../../team/member-process.ts";
import type { Completions } from "../../controls/line-editor.ts";
import { changeMode } from "../../controls/mode-control.ts";
import { personsCommands } from "../../controls/persons-command.ts";
import { runSlash } from "../../controls/run-slash.ts";
import type { SessionSkills } from "../../session/session-skills.ts";
import type { Waker } from "../../waker.ts";
import type { World } from "../../world.ts";
import type { Member } from "./member.ts";
import { memberControls } from "./member-controls.ts";

export type MemberKeysSetup = {
  world: World;
  member: Member;
  pane: Pane;
  style: Style;
  completions: Completions;
  wake: Waker;
  compaction: { ask(focus: string): void };
  processes: ProcessTable;
  exit: SessionControls["exit"];
  /** The members whose names are completed. */
  names: () => string[];
  ending: AbortSignal;
};

/** `attached`: what lead and teammate have alike, for `pane.attach`. `own`: the person's own commands. */
export function memberKeys({ world, member, pane, style, completions, wake, compaction, processes, exit, names, ending }: MemberKeysSetup) {
  const { session, work, skills, agents } = member;
  const controls = memberControls(
    { ...member, member, world, pane, style, scripted: member.script !== undefined },
    { processes, compact: compaction.ask, wake: wake.notify, exit, ending },
  );
  const commands = withSkills(controls, { skills, session, wake, pane });
  Object.assign(completions, { commands, paths: work.paths, agents: names });
  const own = personsCommands({ pane, style, session, work }, ending);
  const attached = {
    session,
    wake: wake.notify,
    onLine: (line: string) => runSlash(line, commands, { pane, style, explain: explainInTeam(skills) }) || own.run(line),
    onEscape: () => void own.interrupt(),
    onMode: () => changeMode({ work, session, pane }),
    onKey: (key: string) => key === toBackgroundKey && (agents?.host.toBackground() === true || work.commands.own.toBackground()),
  };
  return { own, attached };
}

/** Why an expected name is not a command in a pane of a team. */
function explainInTeam(skills: Pick<SessionSkills, "explain">): (name: string) => string | undefined {
  return (name) => (soloAlone.has(name) ? `/${name} is for a session of one agent: ${othersAnswered}` : skills.explain(name));
}

const soloAlone = new Set(["rewind", "clear", "resume"]);
const othersAnswered = "others have answered what this one said. /compact makes its conversation shorter.";

function withSkills(
  controls: SessionControls,
  { skills, session, wake, pane }: Pick<Member, "skills" | "session"> & { wake: Waker; pane: Pick<Pane, "warn"> },
): SlashCommand[] {
  const taken = sessionCommands(controls).map(({ name }) => name);
  for (const notice of skills.notices(taken)) pane.warn(visibleLine(notice));
  return sessionCommands(
    controls,
    skills.commands(taken, async (line) => {
      session.say(await skills.inputOf(line));
      wake.notify();
    }),
  );
}
