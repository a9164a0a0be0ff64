// The status line's summary of background work.
import type { CommandRecord } from "../../background/command.ts";
import { type AgentRecord, isUnderWay } from "../../subagents/record.ts";
import { elapsedTime, timeOfDay } from "../../wording/figures.ts";

export type InBackground = { agents: readonly AgentRecord[]; commands: readonly CommandRecord[] };

/**
 * For example `2 in the background: ada 1m02s, bash-1 since 14:05`, with the number of agents that queue and of those that need the person; empty
 * if there are none. Agents move a clock; for a command alone nothing wakes, so that a time that runs would stand still.
 */
export function backgroundText({ agents: records, commands }: InBackground, nowMs: number): string {
  const underWay = records.filter((record) => record.background && isUnderWay(record));
  const agents = underWay.filter(({ state }) => state === "running");
  const inLine = underWay.length - agents.length;
  const running = [
    ...agents.map(({ name, startedAt }) => ({ startedAt, words: `${name} ${elapsedTime(nowMs - Date.parse(startedAt))}` })),
    ...commands
      .filter(({ state }) => state === "running")
      .map(({ id, startedAt }) => ({ startedAt, words: `${id} since ${timeOfDay(startedAt)}` })),
  ].sort((a, b) => a.startedAt.localeCompare(b.startedAt));
  const waiting = records.filter(({ state }) => state === "needs_permission");
  const shown = running.slice(-2).map(({ words }) => words);
  return [
    running.length > 0 ? `${running.length} in the background: ${shown.join(", ")}` : "",
    inLine > 0 ? `${inLine} ${inLine === 1 ? "waits" : "wait"} for ${inLine === 1 ? "its" : "their"} turn` : "",
    waiting.length > 0 ? `${waiting.map(({ name }) => name).join(", ")} ${waiting.length === 1 ? "needs" : "need"} you: /tasks` : "",
  ]
    .filter(Boolean)
    .join("; ");
}
