// Advice about a session's agents, given once each: when too many run for one conversation, and when an agent's work does not fit into its window.
import type { AgentEvent } from "../agent/events.ts";

/** `atWork`: how many agents started by the session itself are still running. */
export type AgentMoment = { agent: string; atWork: number; event: Pick<AgentEvent, "type"> };

/** The advice to show for an event of an agent; undefined if there is none or it was shown before. `help`: the command that explains more. */
export function createAgentAdvice(help: string): (moment: AgentMoment) => string | undefined {
  const said = new Set<string>();
  return (moment) => {
    const [kind, text] = adviceAt(moment, help) ?? [];
    if (kind === undefined || said.has(kind)) return undefined;
    said.add(kind);
    return text;
  };
}

const mostAgents = 3;

function adviceAt({ agent, atWork, event }: AgentMoment, help: string): [kind: string, text: string] | undefined {
  if (event.type === "compacted")
    return ["compacted", `Agent ${agent} had to shorten its conversation. Work that does not fit into one window suits a team: ${help}`];
  if (atWork <= mostAgents) return undefined;
  return [
    "many",
    `${atWork} agents are running. At most 3 are recommended for one conversation, because all their reports enter it. For more, work in phases or with a team: ${help}`,
  ];
}
