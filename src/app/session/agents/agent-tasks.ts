// /tasks of a solo session: the agents that it has started, and the actions on each.
import { sessionAgentTable, undecidedText } from "../../../screen/commands/session-agent-table.ts";
import type { Style } from "../../../screen/style.ts";
import { visibleLine } from "../../../screen/visible-text.ts";
import { type AgentRecord, stateWords } from "../../../subagents/record.ts";
import { canStop } from "../../../subagents/stop-requests.ts";
import type { Subagents } from "../../../subagents/subagents.ts";
import { decide, type FailureActions } from "./failed-agent.ts";

export const agentVerbs = ["resume", "stop", "show", "retry", "fix", "escalate", "giveup"] as const;

const usage = "/tasks resume <agent>, /tasks stop <agent>, /tasks show <agent>";

type ListLook = { style: Style; nowMs: () => number; columns?: () => number };

export function agentList({ host, style, nowMs, columns }: ListLook & { host: Subagents }): string {
  const records = host.list();
  if (records.length === 0) return "This session has started no agents.";
  const table = sessionAgentTable(records, style, { nowMs: nowMs(), resume: "/tasks resume", ...(columns && { columns: columns() }) });
  return [table, undecidedText(records), style.dim(usage)].filter(Boolean).join("\n\n");
}

/** Returns the text to print. */
export async function agentTask(verb: (typeof agentVerbs)[number], record: AgentRecord, actions: FailureActions): Promise<string> {
  const name = visibleLine(record.name);
  switch (verb) {
    case "resume": {
      const result = await actions.host.resume(record.id, { background: true }, new AbortController().signal);
      return result.kind === "refused"
        ? visibleLine(result.reason)
        : `Agent ${name} continues; you are asked for the permissions it needs.`;
    }
    case "stop":
      if (!canStop(record)) return `Cannot stop agent ${name}: it has ended (${record.state}).`;
      actions.host.stop(record.id, "The person stopped it.");
      return `Agent ${name} is being stopped.`;
    case "show":
      return shown(record);
    case "retry":
    case "fix":
    case "escalate":
    case "giveup":
      return decide(verb, record, actions);
  }
}

function shown({ name, description, state, reason, report, transcript }: AgentRecord): string {
  const parts = [`${name}: ${description}`, `${stateWords(state)}${reason ? `: ${reason}` : ""}`, report, `Transcript: ${transcript}`];
  return parts.flatMap((part) => (part ? part.split("\n").map(visibleLine) : [])).join("\n");
}
