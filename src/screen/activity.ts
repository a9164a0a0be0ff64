// What an agent is doing now, read from its events: for a status line.
import type { AgentEvent } from "../agent/events.ts";

export type Activity = { kind: "idle" } | { kind: "working"; doing: string; sinceMs: number };

export interface ActivityWatch {
  follow(event: AgentEvent): void;
  now(): Activity;
}

/** `nowMs` is the clock that elapsed time is counted by. */
export function watchActivity(nowMs: () => number): ActivityWatch {
  let activity: Activity = { kind: "idle" };
  const doing = (what: string) => {
    if (activity.kind === "working" && activity.doing === what) return;
    activity = { kind: "working", doing: what, sinceMs: nowMs() };
  };
  return {
    follow(event) {
      if (event.type === "request") doing("");
      else if (event.type === "tool_started") doing(`${event.name} ${event.subject}`.trim());
      else if (event.type === "ended") activity = { kind: "idle" };
    },
    now: () => activity,
  };
}
