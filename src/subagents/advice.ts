// Advice about the agents of a session, each said once: when there are more of them than one piece of work falls into, and when one has more
// to do than its window holds.
import type { AgentEvent } from "../agent/events.ts";

/** `atWork`: agents that the session itself has started and that have not ended. */
export type AgentMoment = { agent: string; atWork: number; event: Pick<AgentEvent, "type"> };

/** Gives what to say to the person at this event of an agent; undefined when there is nothing, or it was said. */
/** `help`: the command that says more. */
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
    return ["compacted", `Agent ${agent} had to shorten its conversation. Work that is too long for one window suits a team: ${help}`];
  if (atWork <= mostAgents) return undefined;
  return [
    "many",
    `${atWork} agents are at work, and 2 or 3 pieces are recommended for one conversation: all their reports come back into it. Phases, or a team for more: ${help}`,
  ];
}
