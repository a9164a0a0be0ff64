// The agents of a session while they are under way: a row each in the live part, and below one of them the newest lines of its output.
import type { AgentEvent } from "../../agent/events.ts";
import { type AgentRecord, isUnderWay } from "../../subagents/record.ts";
import type { Style } from "../style.ts";
import { type Activity, createActivity } from "../terminal/activity.ts";
import { agentRow, rowLines } from "./agent-row.ts";

/** What walks through the agents, as it does through the teammates of a team. */
export const watchKey = { name: "Ctrl-O", id: "ctrl+o" } as const;

export interface AgentsView {
  /** Every event of every agent, with its current record. */
  apply(record: AgentRecord, event: AgentEvent): void;
  /** At most that many rows. */
  lines(width: number, rows: number): string[];
  isBusy(): boolean;
  /** Shows the output of the next agent, and after the last one of none. False if none is shown. */
  next(): boolean;
}

export type AgentsViewSetup = {
  style: Style;
  /** A monotonic clock in milliseconds. */
  now: () => number;
  /** The time of day. */
  nowMs: () => number;
  /** The current records, oldest first. */
  list: () => readonly AgentRecord[];
};

const mostOutput = 5;

export function createAgentsView({ style, now, nowMs, list }: AgentsViewSetup): AgentsView {
  const activities = new Map<string, Activity>();
  /** The line of their end has been printed; their record follows. */
  const ended = new Set<string>();
  let watched: string | undefined;
  const rowsOf = (records: readonly AgentRecord[]) =>
    records.filter((record) => (isUnderWay(record) && !ended.has(record.id)) || record.state === "needs_permission");
  return {
    apply({ id }, event) {
      if (event.type === "agent_ended") ended.add(id);
      else ended.delete(id);
      if (event.type === "agent_ended") return void activities.delete(id);
      const activity = activities.get(id) ?? createActivity({ style, now });
      activities.set(id, activity);
      activity.apply(event);
    },
    lines(width, rows) {
      const all = list();
      const shown = rowsOf(all);
      if (shown.length === 0 || rows <= 0) return [];
      const lines = rowLines(
        shown.map((record) => agentRow(record, { nowMs: nowMs(), all, now: activities.get(record.id)?.words() || undefined })),
        { style, width, hint: "Enter answers" },
      );
      const at = shown.findIndex(({ id }) => id === watched);
      const room = Math.min(mostOutput, rows - lines.length);
      const output = at < 0 ? [] : (activities.get(shown[at]?.id ?? "")?.output(room) ?? []);
      return [...lines.slice(0, at + 1), ...output.map((line) => style.dim(`      ${style.separator} ${line}`)), ...lines.slice(at + 1)];
    },
    isBusy: () => list().some(isUnderWay),
    next() {
      const ids = rowsOf(list()).map(({ id }) => id);
      watched = ids[watched === undefined ? 0 : ids.indexOf(watched) + 1];
      return watched !== undefined;
    },
  };
}
