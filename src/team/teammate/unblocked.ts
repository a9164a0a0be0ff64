// Which of a teammate's blocked tasks can be resumed, and why: an answer came from somebody it had asked, from the lead or the user,
// or the dependencies it was waiting for are completed.

import type { Message } from "../../board/messages/message.ts";
import { unfinished } from "../../board/tasks/graph.ts";
import type { Task, TaskId } from "../../board/tasks/task.ts";

export interface Unblocked {
  /** A message for this teammate was seen, waiting or just taken. `asked`: whom it has written to. */
  mail(message: Pick<Message, "id" | "from" | "kind" | "text">, asked: ReadonlySet<string>): void;
  /** The list in its current state. */
  list(tasks: Task[]): void;
  /** The task continues, or is somebody else's by now. */
  settle(task: TaskId): void;
  reasons(): Map<TaskId, string>;
}

export function createUnblocked(me: string): Unblocked {
  const reasons = new Map<TaskId, string>();
  const waiting = new Set<TaskId>();
  const seen = new Set<string>();
  let blocked: Task[] = [];

  return {
    mail({ id, from, kind, text }, asked) {
      if (kind !== "message" || seen.has(id)) return;
      if (blocked.length === 0) return;
      seen.add(id);
      if (from !== "lead" && from !== "user" && !asked.has(from)) return;
      const named = blocked.filter((task) => new RegExp(`\\b${task.id}\\b`).test(text));
      const task = named[0] ?? blocked[0];
      if (task) reasons.set(task.id, `${from} answered`);
    },
    list(tasks) {
      blocked = tasks.filter((task) => task.status === "blocked" && task.assigned_to === me);
      const ids = new Set(blocked.map((task) => task.id));
      for (const id of reasons.keys()) if (!ids.has(id)) reasons.delete(id);
      for (const task of blocked) {
        if (unfinished(tasks, task).length > 0) waiting.add(task.id);
        else if (waiting.delete(task.id)) reasons.set(task.id, "its dependencies are completed");
      }
    },
    settle(task) {
      reasons.delete(task);
      waiting.delete(task);
    },
    reasons: () => reasons,
  };
}
