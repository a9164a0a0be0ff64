// The lines that a resume prints, one for each agent: what it had and has again.

import type { Task, TaskId } from "../../board/tasks/task.ts";
import { plural } from "../../wording/figures.ts";
import type { Kept, MemberPlan } from "./plan.ts";

/** `failed`: why it has not started. `refused`: why its task was not given back. `tasks`: the list as it is after the resume. */
export type Resumed = { plan: MemberPlan; failed?: string | undefined; refused?: string | undefined; tasks: Task[] };

/** `ada: task-5 in progress again, 14 turns, 2 unread`. */
export function proofLine(resumed: Resumed): string {
  const { plan, failed } = resumed;
  const words = failed === undefined ? stateWords(resumed) : [`not started: ${failed}`];
  const kept = plan.kind === "adopt" ? { ...plan.kept, interrupted: 0 } : plan.kept; // of one that lives they go on
  return `${plan.name}: ${[...words, ...keptWords(kept)].join(", ")}`;
}

/** The lead's own: `lead: 9 turns, 1 unread`. */
export function leadLine(kept: Kept): string {
  return `lead: ${keptWords(kept).join(", ")}`;
}

function stateWords({ plan, refused, tasks }: Resumed): string[] {
  const own = tasks.filter(({ assigned_to }) => assigned_to === plan.name);
  const held = own.find(({ status }) => status === "in_progress");
  const task = held ? [`${held.id} in progress${plan.kind === "adopt" ? "" : " again"}`] : blockedWords(own, refused);
  switch (plan.kind) {
    case "adopt":
      return [`still running as process ${plan.living.process.pid}`, ...task];
    case "leave":
      return [`left as it is (${plan.why})`, ...task];
    case "start":
      return task.length > 0 ? task : ["started, holds no task"];
  }
}

function blockedWords(own: Task[], refused: string | undefined): string[] {
  const blocked: TaskId[] = own.filter(({ status }) => status === "blocked").map(({ id }) => id);
  if (blocked.length === 0) return [];
  return [`${blocked.join(", ")} still blocked${refused === undefined ? "" : ` (${refused})`}`];
}

function keptWords({ turns, unread, interrupted, questions, lost }: Kept): string[] {
  return [
    lost ? "its transcript is gone: it starts afresh" : plural(turns, "turn"),
    ...(interrupted > 0 ? [`${plural(interrupted, "call")} interrupted`] : []),
    ...(questions > 0 ? [`${plural(questions, "question")} open`] : []),
    `${unread} unread`,
  ];
}
