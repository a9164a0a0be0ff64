// What a pane shows of the agents of its session, solo or in a team, and how it answers them.
import type { Session } from "../../../agent/session/session.ts";
import type { SessionHooks } from "../../../hooks/session-hooks.ts";
import { type AgentsView, createAgentsView } from "../../../screen/agents/agents-view.ts";
import type { Style } from "../../../screen/style.ts";
import type { Pane } from "../../../screen/terminal/pane.ts";
import { stateWords } from "../../../subagents/record.ts";
import type { SessionAgents } from "./session-agents.ts";

type OnScreen = {
  pane: Pick<Pane, "notify" | "refresh">;
  style: Style;
  session: Pick<Session, "agent">;
  alert: SessionHooks["alert"];
};

/** The rows of its agents, and Enter for the oldest one that needs the person. Tells the person when a background agent ends by itself. */
export function agentsOnScreen({ pane, style, session, alert }: OnScreen, agents: Pick<SessionAgents, "listen" | "host">) {
  const { clock } = session.agent;
  const view: AgentsView = createAgentsView({ style, now: clock.monotonicMs, nowMs: () => clock.now().getTime(), list: agents.host.list });
  agents.listen((record, event) => {
    view.apply(record, event);
    pane.refresh();
    const { name, background, state } = record;
    if (event.type !== "agent_ended" || !background || state === "stopped") return;
    const text = `Agent ${name}: ${stateWords(state)}`;
    pane.notify(text);
    alert({ kind: "agent_ended", text });
  });
  return {
    agents: view,
    onEmptyEnter() {
      const asking = agents.host.list().find(({ state }) => state === "needs_permission");
      if (asking) void agents.host.resume(asking.id, { background: true }, new AbortController().signal);
      return asking !== undefined;
    },
  };
}
