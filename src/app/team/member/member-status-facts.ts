// What the person's status command is told of a member's session.
import { answeringModel } from "../../../agent/requests/fallback.ts";
import { memberStates } from "../../../screen/team/member-states.ts";
import type { StatusFacts } from "../../session/screen/status-command.ts";
import type { Member } from "./member.ts";

export function memberStatusFacts({ session, work, board, launch }: Pick<Member, "session" | "work" | "board" | "launch">): StatusFacts {
  const { state, task, context_tokens: used, window_tokens: of, cost_usd, hands = null } = session.status();
  const shown = memberStates[state].state;
  return {
    state: shown === "needs_you" ? "needs_you" : shown === "working" ? "working" : "ready",
    model: [answeringModel(session.agent), session.agent.effort].filter(Boolean).join(" "),
    mode: work.mode(),
    sandbox: "",
    tokens: { used: used ?? 0, of: of ?? 0 },
    cost_usd,
    background: "",
    hands,
    team: { name: board.name, member: launch.name, task },
  };
}
