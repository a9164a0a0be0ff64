// The times in a team's log: when each agent worked on which task or was blocked, and what happened to the agents.
import type { TeamEvent } from "../../board/event.ts";
import type { TaskId } from "../../board/tasks/task.ts";
import { asWished } from "../end-reasons.ts";

/** Milliseconds since 1970. */
export type Bar = { agent: string; task: TaskId; state: "working" | "blocked"; from: number; to: number };
export type Mark = { agent: string; at: number; kind: "started" | "restarted" | "ended" | "lost" | "waits" | "hung"; text: string };
/** `task`: what the sender held when it wrote. */
export type Arrow = { from: string; to: string; at: number; task: TaskId | undefined };

export type Timeline = { bars: Bar[]; marks: Mark[]; arrows: Arrow[] };

/** `endedAt`: the end of tasks that were neither completed nor released. */
export function timelineOf(events: readonly TeamEvent[], endedAt: number): Timeline {
  const open = new Map<TaskId, Omit<Bar, "to">>();
  const bars: Bar[] = [];
  const close = (task: TaskId, to: number) => {
    const bar = open.get(task);
    open.delete(task);
    if (bar) bars.push({ ...bar, to: Math.max(bar.from, to) });
  };
  const marks: Mark[] = [];
  const arrows: Arrow[] = [];
  const heldBy = (agent: string) => [...open.values()].findLast((bar) => bar.agent === agent && bar.state === "working")?.task;
  for (const event of events) {
    const at = Date.parse(event.at);
    if ("task" in event) {
      const state = stateAfter[event.kind];
      if (!state) continue;
      close(event.task, at);
      const agent = event.assigned_to;
      if (state !== "none" && agent !== null) open.set(event.task, { agent, task: event.task, state, from: at });
    } else if (event.kind === "message_sent" && event.mail === "message") {
      arrows.push({ from: event.by, to: event.to, at, task: heldBy(event.by) });
    } else if ("member" in event) marks.push(markOf(event, at));
  }
  for (const task of open.keys()) close(task, endedAt);
  return { bars, marks, arrows };
}

/** What an agent does with the task after such an event; other events change nothing. */
const stateAfter: Partial<Record<TeamEvent["kind"], Bar["state"] | "none">> = {
  task_claimed: "working",
  task_resumed: "working",
  task_blocked: "blocked",
  task_completed: "none",
  task_released: "none",
};

function markOf(event: Extract<TeamEvent, { member: string }>, at: number): Mark {
  switch (event.kind) {
    case "member_started":
      return { agent: event.member, at, kind: "started", text: "started" };
    case "hands_started":
      return { agent: event.member, at, kind: "started", text: `hands at ${event.place}` };
    case "hands_gone":
      return { agent: event.member, at, kind: "restarted", text: `hands at ${event.place} gone: ${event.how}` };
    case "member_restarted":
      return { agent: event.member, at, kind: "restarted", text: `restarted: ${event.how}` };
    case "member_hung":
      return { agent: event.member, at, kind: "hung", text: `${event.interrupted ? "interrupted" : "may hang"}: ${event.reason}` };
    case "member_ended":
      return { agent: event.member, at, kind: event.how === asWished ? "ended" : "lost", text: `ended: ${event.how}` };
    case "member_waits":
      return {
        agent: event.member,
        at,
        kind: "waits",
        text: `waits for ${event.again_ms === undefined ? "a person" : "its model"}: ${event.reason}`,
      };
  }
}
