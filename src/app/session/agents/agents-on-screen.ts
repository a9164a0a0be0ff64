// What a pane does for the agents of its session, solo or in a team.
import type { Pane } from "../../../screen/terminal/pane.ts";
import { stateWords } from "../../../subagents/record.ts";
import type { SessionAgents } from "./session-agents.ts";

/** Notifies the person, with a bell, when a background agent ends by itself. */
export function notifyOfEnds(pane: Pick<Pane, "notify">, agents: Pick<SessionAgents, "listen">): void {
  agents.listen(({ name, background, state }, { type }) => {
    if (type === "agent_ended" && background && state !== "stopped") pane.notify(`Agent ${name}: ${stateWords(state)}`);
  });
}
