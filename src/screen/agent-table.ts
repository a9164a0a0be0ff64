// The agents that work beside the person, as /tasks and `tool tasks` list them.
import type { AgentAtWork } from "../team/agents-at-work.ts";
import { duration, tokens } from "./figures.ts";
import { clamp } from "./line-widths.ts";
import type { Style } from "./style.ts";
import { aligned, cell } from "./table.ts";
import { memberNow, memberStates } from "./team-status.ts";
import { visibleLine } from "./visible-text.ts";

const widestWhat = 40;

export function agentTable(agents: AgentAtWork[], style: Style): string {
  if (agents.length === 0) return "No agents work beside this one.";
  const rows = agents.map((agent) => {
    const { state, words } = memberStates[agent.state];
    return [
      cell(agent.name, (text) => style.member(agent.name, text)),
      cell(clamp(visibleLine(agent.what), widestWhat)),
      cell(`${style.symbol(state)} ${words}`, (text) => style.state(state, text)),
      cell(String(agent.turns)),
      cell(tokens(agent.tokens)),
      cell(agent.elapsed_ms === null ? "" : duration(agent.elapsed_ms)),
      cell(memberNow(agent)),
    ];
  });
  const heads = ["agent", "what", "state", "turns", "tokens", "elapsed", "now"].map((text) => cell(text, style.dim));
  return aligned([heads, ...rows]).join("\n");
}
