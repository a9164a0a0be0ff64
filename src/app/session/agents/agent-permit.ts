// Decides a sub-agent's calls: as the session's rules do, and by asking the person wherever one sits, in the foreground and in the background.
import type { Permit } from "../../../agent/ports/permit.ts";
import { Suspension } from "../../../agent/session/suspension.ts";
import type { Missing } from "../../../agent/workspace/bounded-shell.ts";
import type { Workspace } from "../../../agent/workspace.ts";
import type { SessionHooks } from "../../../hooks/session-hooks.ts";
import type { Ask } from "../../../permissions/permit.ts";
import type { AgentRecord } from "../../../subagents/record.ts";
import type { OpenWay } from "../../../subagents/subagents.ts";
import { questionSubject } from "../../../wording/question-words.ts";

/**
 * Asks the person in the name of an agent. `stopsAlone`: called if the person says no to all and stops; true if that has stopped the agent itself, false
 * if the turn that waits for the agent is to be stopped.
 */
export type AskFor = (name: string, stopsAlone?: () => boolean) => Ask;

export type AgentPermitOrder = {
  way: OpenWay;
  work: Pick<Workspace, "permit">;
  hooks: Pick<SessionHooks, "ask">;
  order: { askFor?: AskFor; onNotice?: (text: string) => void; guardEdits?: ((permit: Permit) => Permit) | undefined };
};

/** Where nobody can be asked, a missing permission suspends a run in the background, so that it can continue at this call. */
export function agentPermit(record: AgentRecord, { way, work, order, hooks }: AgentPermitOrder): Permit {
  const askPerson = order.askFor?.(record.name, () => stopInBackground(record, way));
  const ask = askPerson && hooks.ask(whileWaiting(askPerson, way));
  const permit = work.permit(ask, order.onNotice);
  const decide = order.guardEdits?.(permit) ?? permit;
  return async (call, signal) => {
    const permission = await decide(call, signal);
    if (!permission.allowed) suspendFor(record, { way, order })(call.tool, permission);
    return permission;
  };
}

/** Suspends a background run because of a permission that is missing and that nobody can be asked for. */
export function suspendFor(record: AgentRecord, { way, order }: Pick<AgentPermitOrder, "way" | "order">) {
  return (tool: string, { reason: why, missing }: Missing): void => {
    const { background } = way.host.find(record.id) ?? record;
    if (missing && background && !order.askFor) way.suspend(new Suspension(tool, { why, missing }));
  };
}

/** The time until the answer is not the agent's, and its record says meanwhile what it asks. */
function whileWaiting(ask: Ask, { asks }: OpenWay): Ask {
  return async (question, signal) => {
    const answered = asks(questionSubject(question));
    try {
      return await ask(question, signal);
    } finally {
      answered();
    }
  };
}

/** Stops the agent, or the one above that waits for it, if it works beside the session's own turn. */
function stopInBackground({ id, parent }: AgentRecord, way: OpenWay): boolean {
  const { host } = way;
  if (host.find(id)?.background) {
    host.stop(id, "The person said no and stopped it.");
    return true;
  }
  const above = parent === undefined ? undefined : host.find(parent);
  return above !== undefined && stopInBackground(above, way);
}
