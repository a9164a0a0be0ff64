// The slash commands of a member's pane, with the skills that a person can type.
import type { Session } from "../../agent/session.ts";
import type { SlashCommand } from "../../screen/commands/commands.ts";
import { type SessionControls, sessionCommands } from "../../screen/commands/session-commands.ts";
import type { Pane } from "../../screen/terminal/pane.ts";
import { visibleLine } from "../../screen/visible-text.ts";
import type { SessionSkills } from "../session/session-skills.ts";
import type { Waker } from "../waker.ts";

export type SkillCommandsSetup = { skills: SessionSkills; session: Session; wake: Waker; pane: Pick<Pane, "warn"> };

/** Why an expected name is not a command in a pane of a team. */
export function explainInTeam(skills: Pick<SessionSkills, "explain">): (name: string) => string | undefined {
  return (name) => (soloAlone.has(name) ? `/${name} is for a session of one agent: ${noWayBack}` : skills.explain(name));
}

const soloAlone = new Set(["rewind", "clear", "resume"]);
const noWayBack = "others have answered what this one said. /compact makes its conversation shorter.";

export function withSkills(controls: SessionControls, { skills, session, wake, pane }: SkillCommandsSetup): SlashCommand[] {
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
