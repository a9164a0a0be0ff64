// Why a team is stuck, and below each reason the command with which a person can make it go on.
import type { MemberView } from "../../team/report/team-status.ts";
import { visibleLine } from "../visible-text.ts";

type Stuck = { command: string; team: string; members: readonly Pick<MemberView, "name" | "state">[] };

/** `reasons`: the sentences of `stallCulprits`. */
export function stuckLines(reasons: readonly string[], { command, team, members }: Stuck): string[] {
  const hasEnded = (name: string) => members.some((member) => member.name === name && member.state === "ended");
  const lines = reasons.flatMap((reason) => {
    const act = actFor(reason, hasEnded);
    return [`  ${visibleLine(reason)}`, ...(act === undefined ? [] : [`    ${command} team ${act} --team ${team}`])];
  });
  return lines.length > 0 ? ["", "The team is stuck:", ...lines] : [];
}

/** A message to a member that has ended is refused: its task is made free instead. */
function actFor(reason: string, hasEnded: (name: string) => boolean): string | undefined {
  const [, task, found = "", holder = "nobody"] =
    /^(task-\d+) (is blocked|is in progress|is assigned|is ready|depends|→)(?:, held by ([\w-]+))?/.exec(reason) ?? [];
  if (task === undefined) return undefined;
  if (found === "is ready") return 'send lead "Start a teammate for it."';
  if (found === "is blocked" && holder !== "nobody" && !hasEnded(holder)) return `send ${holder} "your answer"`;
  return `task update ${task} ${found === "depends" || found === "→" ? '--depends ""' : '--status open --assignee ""'}`;
}
