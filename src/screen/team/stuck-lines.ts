// Why a team is stuck, and below each reason the command with which a person can make it go on.
import { visibleLine } from "../visible-text.ts";

/** `reasons`: the sentences of `stallCulprits`. */
export function stuckLines(reasons: readonly string[], { command, team }: { command: string; team: string }): string[] {
  const lines = reasons.flatMap((reason) => {
    const act = actFor(reason);
    return [`  ${visibleLine(reason)}`, ...(act === undefined ? [] : [`    ${command} team ${act} --team ${team}`])];
  });
  return lines.length > 0 ? ["", "The team is stuck:", ...lines] : [];
}

function actFor(reason: string): string | undefined {
  const [, task, found = "", holder = "nobody"] =
    /^(task-\d+) (is blocked|is in progress|is assigned|is ready|depends|→)(?:, held by ([\w-]+))?/.exec(reason) ?? [];
  if (task === undefined) return undefined;
  if (found === "is ready") return 'send lead "Start a teammate for it."';
  if (found === "is blocked" && holder !== "nobody") return `send ${holder} "your answer"`;
  return `task update ${task} ${found === "depends" || found === "→" ? '--depends ""' : '--status open --assignee ""'}`;
}
