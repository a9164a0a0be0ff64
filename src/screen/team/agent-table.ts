// The table of running agents in /tasks and `tool tasks`.
import type { AgentAtWork } from "../../team/agents-at-work.ts";
import { duration, tokens } from "../../wording/figures.ts";
import { clamp } from "../line-widths.ts";
import { handsText } from "../status/hands-text.ts";
import type { Style } from "../style.ts";
import { aligned, cell, headRow, stateCell } from "../table.ts";
import { visibleLine } from "../visible-text.ts";
import { hasTests, memberNow, memberStates, testsCell } from "./team-status.ts";

const widestWhat = 40;

export function agentTable(agents: AgentAtWork[], style: Style): string {
  if (agents.length === 0) return "This session has no other agents.";
  const tested = hasTests(agents);
  const placed = agents.some(({ hands }) => hands !== null);
  const rows = agents.map((agent) => {
    return [
      cell(agent.name, (text) => style.member(agent.name, text)),
      cell(clamp(visibleLine(agent.what), widestWhat)),
      stateCell(memberStates[agent.state], style),
      ...(placed ? [cell(agent.hands ? handsText(agent.hands) : "")] : []),
      cell(String(agent.turns)),
      cell(tokens(agent.tokens)),
      cell(agent.elapsed_ms === null ? "" : duration(agent.elapsed_ms)),
      ...(tested ? [cell(testsCell(agent.evidence))] : []),
      cell(memberNow(agent)),
    ];
  });
  const heads = headRow(
    ["agent", "what", "state", ...(placed ? ["hands"] : []), "turns", "tokens", "elapsed", ...(tested ? ["tests"] : []), "now"],
    style,
  );
  return aligned([heads, ...rows]).join("\n");
}
