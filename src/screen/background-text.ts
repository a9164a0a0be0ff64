// What runs beside the person's own conversation, in a few words for the status line.
import { type AgentRecord, isUnderWay } from "../subagents/record.ts";
import { duration } from "./figures.ts";

/** `2 in the background: a-3f2 1m02s, a-9a1 40s`, and which of them need the person; empty when there are none. */
export function backgroundText(records: readonly AgentRecord[], nowMs: number): string {
  const running = records.filter((record) => record.background && isUnderWay(record));
  const waiting = records.filter(({ state }) => state === "needs_permission");
  const shown = running.slice(-2).map(({ name, startedAt }) => `${name} ${duration(Math.max(0, nowMs - Date.parse(startedAt)))}`);
  return [
    running.length > 0 ? `${running.length} in the background: ${shown.join(", ")}` : "",
    waiting.length > 0 ? `${waiting.map(({ name }) => name).join(", ")} needs you: /tasks` : "",
  ]
    .filter(Boolean)
    .join("; ");
}
