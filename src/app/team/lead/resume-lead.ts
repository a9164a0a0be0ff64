// The first steps of a lead that continues a team: restarts its teammates, tells the person, and tells its model.

import { visibleLine } from "../../../screen/visible-text.ts";
import { resumedInput } from "../../../team/prompt.ts";
import { unansweredCalls } from "../../../team/requests.ts";
import { completionTold } from "../../../team/resume/completion-told.ts";
import { resumeTeam } from "../../../team/resume/resume-team.ts";
import { duration } from "../../../wording/figures.ts";
import type { World } from "../../world.ts";
import type { Lead } from "./lead-parts.ts";

/** Returns the list's revision if everything is completed and the lead's model was told before. */
export async function resumeLead({ configDir }: World, lead: Lead, since: string): Promise<number | undefined> {
  const { member, staff, team, launch, clock, pane, processes } = lead;
  const { board, disk, session } = member;
  team.passOver();
  const ago = duration(Math.max(0, clock.now().getTime() - Date.parse(since)));
  pane.print(`Team ${launch.team} is resumed; it was last active ${ago} ago.`);
  await lead.recorded;
  const lost = await lead.trees?.lost(); // before a starting teammate makes the branch again
  const resumed = await resumeTeam(
    { board, disk, configDir, clock, processes, staff, unanswered: (name) => unansweredCalls(member.requests, name) },
    { options: { where: launch.opening?.where, lead_grace_ms: launch.options.leadGraceMs }, since },
  );
  const lines = [...resumed.lines, ...(launch.resumed?.said ?? [])];
  if (lost) pane.warn(lost);
  for (const line of lines) pane.print(`  ${visibleLine(line)}`, 4);
  const list = team.list();
  const done = list !== undefined && list.tasks.length > 0 && list.tasks.every(({ status }) => status === "completed");
  const input = { source: { kind: "harness" }, text: resumedInput(lost ? [...lines, lost] : lines) } as const;
  if (done) session.note(input);
  else session.say(input);
  return done && completionTold(member.events(), list.tasks) ? list.revision : undefined;
}
