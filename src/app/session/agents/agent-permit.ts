// Decides a sub-agent's calls: as the session's rules do, and by asking the person if the agent runs in the foreground.
import type { Permit } from "../../../agent/ports/permit.ts";
import { Suspension } from "../../../agent/session/suspension.ts";
import type { Missing } from "../../../agent/workspace/bounded-shell.ts";
import type { Workspace } from "../../../agent/workspace.ts";
import type { SessionHooks } from "../../../hooks/session-hooks.ts";
import type { Ask } from "../../../permissions/permit.ts";
import type { AgentRecord } from "../../../subagents/record.ts";
import type { OpenWay } from "../../../subagents/subagents.ts";

export type AgentPermitOrder = {
  way: OpenWay;
  work: Pick<Workspace, "permit">;
  hooks: Pick<SessionHooks, "ask">;
  order: { askFor?: (name: string) => Ask; onNotice?: (text: string) => void; guardEdits?: ((permit: Permit) => Permit) | undefined };
};

/** In the foreground the person is asked. In the background a missing permission suspends the run, so that it can continue at this call. */
export function agentPermit(record: AgentRecord, { way, work, order, hooks }: AgentPermitOrder): Permit {
  let unasked = inBackground(record, way);
  const askPerson = order.askFor?.(record.name);
  const ask = askPerson && hooks.ask(askPerson);
  const opened = () => {
    const permit = work.permit(unasked ? undefined : ask, order.onNotice);
    return order.guardEdits?.(permit) ?? permit;
  };
  let permit = opened();
  return async (call, signal) => {
    if (inBackground(record, way) !== unasked) {
      unasked = !unasked;
      permit = opened();
    }
    const permission = await permit(call, signal);
    if (!permission.allowed) suspendFor(record, { way, order })(call.tool, permission);
    return permission;
  };
}

/** Suspends a background run because of a missing permission. */
export function suspendFor(record: AgentRecord, { way, order }: Pick<AgentPermitOrder, "way" | "order">) {
  return (tool: string, { reason, missing, why = reason }: Missing): void => {
    if (!missing || !inBackground(record, way)) return;
    way.suspend(new Suspension(tool, { why: order.askFor ? why : reason, missing })); // a flag does not help a person in a session
  };
}

const inBackground = ({ id }: AgentRecord, { host, ask }: OpenWay) => host.find(id)?.background === true && !ask;
