// What a worker does, on the screen of the session whose coordinator started it: what it changes and runs, and not what it looks at.
import type { AgentEvent } from "../agent/events.ts";
import type { Style } from "./style.ts";
import { teammateLine } from "./teammate-lines.ts";

const looking = new Set(["Read", "Grep", "Glob", "CheckAgent"]);

/** Undefined for an event that is not worth a line. */
export function workerLine(name: string, event: AgentEvent, style: Style): string | undefined {
  const isWork = event.type === "tool_ended" && (event.isError || !looking.has(event.name));
  if (!isWork && event.type !== "retry" && event.type !== "notice") return undefined;
  return teammateLine(name.padEnd(longestName), event, { ...style, member: (_name, text) => style.member(name, text) });
}

/** Names of components are seldom longer. */
const longestName = 9;
