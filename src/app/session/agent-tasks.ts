// /tasks of a solo session: the agents that it has started, and what can be done with each.
import { sessionAgentTable, undecidedText } from "../../screen/session-agent-table.ts";
import type { Style } from "../../screen/style.ts";
import type { Pane } from "../../screen/terminal/pane.ts";
import { visibleLine } from "../../screen/visible-text.ts";
import type { AgentRecord } from "../../subagents/record.ts";
import { decide, type FailureDesk } from "./failed-agent.ts";

const usage = "/tasks resume <agent>, /tasks stop <agent>, /tasks show <agent>";

/** What is printed. `words`: nothing for the list, or what to do with which agent. */
export async function agentTasks(
  words: string,
  { pane, style, nowMs, ...desk }: FailureDesk & { pane: Pick<Pane, "warn">; style: Style; nowMs: () => number },
): Promise<string> {
  const { host } = desk;
  const [verb = "", wanted = ""] = words.trim().split(/\s+/);
  if (verb === "") {
    const records = host.list();
    return records.length === 0
      ? "This session has started no agents."
      : [sessionAgentTable(records, style, nowMs()), undecidedText(records), style.dim(usage)].filter(Boolean).join("\n\n");
  }
  const record = host.find(wanted);
  if (!record) return wanted === "" ? usage : `This session has no agent "${visibleLine(wanted)}".`;
  switch (verb) {
    case "retry":
    case "fix":
    case "escalate":
    case "giveup":
      return decide(verb, record, desk);
    case "resume":
      void host.resume(record.id, { ask: true, background: true }, new AbortController().signal).then((result) => {
        if (result.kind === "refused") pane.warn(visibleLine(result.reason));
      });
      return `Agent ${visibleLine(record.name)} goes on; you are asked what it needs.`;
    case "stop":
      host.stop(record.id, "The person stopped it.");
      return `Agent ${visibleLine(record.name)} is being stopped.`;
    case "show":
      return shown(record);
    default:
      return usage;
  }
}

function shown({ name, description, state, reason, report, transcript }: AgentRecord): string {
  const parts = [
    `${name}: ${description}`,
    `${state.replace("_", " ")}${reason ? `: ${reason}` : ""}`,
    report,
    `Transcript: ${transcript}`,
  ];
  return parts.flatMap((part) => (part ? part.split("\n").map(visibleLine) : [])).join("\n");
}
