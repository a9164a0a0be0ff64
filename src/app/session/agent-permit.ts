// May a call of a sub-agent run? As its work decides, asking the person where the agent runs in the foreground.
import type { Permit } from "../../agent/permit.ts";
import { Suspension } from "../../agent/suspension.ts";
import type { Work } from "../../agent/work.ts";
import type { SessionHooks } from "../../hooks/session-hooks.ts";
import type { Ask } from "../../permissions/permit.ts";
import type { AgentRecord } from "../../subagents/record.ts";
import type { OpenWay } from "../../subagents/subagents.ts";

export type AgentPermitOrder = {
  way: OpenWay;
  work: Pick<Work, "permit">;
  hooks: Pick<SessionHooks, "ask">;
  order: { askFor?: (name: string) => Ask; onNotice?: (text: string) => void };
};

/** In the foreground the person is asked. In the background a missing permission suspends the run, so that it can go on just there. */
export function agentPermit(record: AgentRecord, { way, work, order, hooks }: AgentPermitOrder): Permit {
  const inBackground = () => way.host.find(record.id)?.background === true && !way.ask;
  let unasked = inBackground();
  const askPerson = order.askFor?.(record.name);
  const ask = askPerson && hooks.ask(askPerson);
  let permit = work.permit(unasked ? undefined : ask, order.onNotice);
  return async (call, signal) => {
    if (inBackground() !== unasked) {
      unasked = inBackground();
      permit = work.permit(unasked ? undefined : ask, order.onNotice);
    }
    const permission = await permit(call, signal);
    if (unasked && !permission.allowed && permission.missing) {
      const { reason, missing, why = reason } = permission;
      way.suspend(new Suspension(call.tool, { why: order.askFor ? why : reason, missing })); // a flag is of no use to who sits there
    }
    return permission;
  };
}
