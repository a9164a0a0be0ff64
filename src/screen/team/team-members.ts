// The members of a team one by one, with costs and roles, for /cost and /agents.
import type { TeamRecord } from "../../board/team-record.ts";
import type { TeamStatus } from "../../team/report/team-status.ts";
import { dollars, plural, tokens } from "../../wording/figures.ts";
import { clamp } from "../line-widths.ts";
import type { Style } from "../style.ts";
import { aligned, cell, stateCell } from "../table.ts";
import { visibleLine } from "../visible-text.ts";
import { memberStates } from "./member-states.ts";

export function teamCostText(status: TeamStatus, style: Style): string {
  const rows = status.members.map((member) => [
    cell(`  ${member.name}`, (text) => style.member(member.name, text)),
    cell(plural(member.turns, "turn")),
    cell(`${tokens(member.tokens)} tokens`),
    cell(dollars(member.cost_usd)),
  ]);
  return [`Team ${status.team}: ${dollars(status.cost_usd)}, ${tokens(status.tokens)} tokens`, ...aligned(rows)].join("\n");
}

const widestInstructions = 60;

/** `me`: the member whose pane it is. */
export function teamAgentsText({ status, record, me }: { status: TeamStatus; record: TeamRecord; me: string }, style: Style): string {
  const rows = status.members.map(({ name, role, state }) => {
    const known = record.members.find((member) => member.name === name);
    const instructions = role === "lead" ? "" : (known?.prompt?.split("\n", 1)[0] ?? "");
    return [
      cell(`  ${name}`, (text) => style.member(name, text)),
      cell(name === me ? `${role}, here` : role),
      stateCell(memberStates[state], style),
      cell(visibleLine(known?.session?.slice(0, 8) ?? "")),
      cell(clamp(visibleLine(instructions), widestInstructions)),
    ];
  });
  return aligned(rows).join("\n");
}
