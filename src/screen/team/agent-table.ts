// The table of running agents in /tasks and `tool tasks`.
import type { AgentAtWork } from "../../team/agents-at-work.ts";
import { duration, tokens } from "../../wording/figures.ts";
import { clamp } from "../line-widths.ts";
import type { Style } from "../style.ts";
import { cell, columnsFor, fittedTable, stateCell } from "../table.ts";
import { visibleLine } from "../visible-text.ts";
import { memberStates } from "./member-states.ts";
import { handsForms, hasTests, memberNow, testsCell } from "./team-status.ts";

const widestWhat = 40;

/** `columns`: how wide it may be. */
export function agentTable(agents: AgentAtWork[], style: Style, columns = Number.POSITIVE_INFINITY): string {
  if (agents.length === 0) return "This session has no other agents.";
  const column = columnsFor(agents);
  const what = (most: number) => (agent: AgentAtWork) => clamp(visibleLine(agent.what), most);
  const all = [
    column("agent", ({ name }) => cell(name, (text) => style.member(name, text))),
    column("what", what(widestWhat), what(widestWhat / 2)),
    column("state", ({ state }) => stateCell(memberStates[state], style)),
    ...(agents.some(({ hands }) => hands !== null) ? [column("hands", ...handsForms)] : []),
    column("turns", ({ turns }) => String(turns)),
    column("tokens", (agent) => tokens(agent.tokens)),
    column("elapsed", ({ elapsed_ms: ms }) => (ms === null ? "" : duration(ms))),
    ...(hasTests(agents) ? [column("tests", ({ evidence }) => testsCell(evidence))] : []),
    column("now", memberNow),
  ];
  return fittedTable(all, { columns, style, giveWay: columnsGiveWay }).join("\n");
}

const columnsGiveWay = ["hands", "what", "turns", "tokens", "hands", "elapsed", "tests", "hands", "what"];
