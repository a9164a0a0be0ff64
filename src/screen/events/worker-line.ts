// A worker's activity on the screen of its coordinator's session: what it changes and runs, but not what it reads.
import type { AgentEvent } from "../../agent/events.ts";
import type { Style } from "../style.ts";
import { teammateLine } from "./teammate-lines.ts";

const looking = new Set(["Read", "Grep", "Glob", "CheckAgent"]);

/** Undefined for an event that is not worth a line. */
export function workerLine(name: string, event: AgentEvent, style: Style): string | undefined {
  const isWork = event.type === "tool_ended" && (event.isError || !looking.has(event.name));
  if (!isWork && event.type !== "retry" && event.type !== "notice") return undefined;
  return teammateLine(name.padEnd(longestName), event, { ...style, member: (_name, text) => style.member(name, text) });
}

/** Names of components are rarely longer. */
const longestName = 9;
