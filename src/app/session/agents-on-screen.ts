// What a pane does for the agents of its session, solo or in a team.
import type { Pane } from "../../screen/terminal/pane.ts";
import type { SessionAgents } from "./session-agents.ts";

/** The end of an agent in the background is a notification of the terminal, and a bell; not where somebody has stopped it. */
export function notifyOfEnds(pane: Pick<Pane, "notify">, agents: Pick<SessionAgents, "listen">): void {
  agents.listen(({ name, background, state }, { type }) => {
    if (type === "agent_ended" && background && state !== "stopped") pane.notify(`Agent ${name}: ${state.replace("_", " ")}`);
  });
}
