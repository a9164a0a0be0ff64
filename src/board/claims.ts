// What an agent holds, and what it could take.
import { ready } from "./graph.ts";
import type { Task, TaskId } from "./task.ts";

/** The task in progress with `agent`. */
export function heldBy(tasks: Task[], agent: string): Task | undefined {
  return tasks.find((task) => task.status === "in_progress" && task.assigned_to === agent);
}

/** What `agent` could claim now if it holds nothing: assigned to it first, then unassigned, each in id order. */
export function claimable(tasks: Task[], agent: string): Task[] {
  const byNumber = ready(tasks).sort((a, b) => taskNumber(a.id) - taskNumber(b.id));
  return [...byNumber.filter((task) => task.assigned_to === agent), ...byNumber.filter((task) => task.assigned_to === null)];
}

/** `task-12` → 12. */
export function taskNumber(id: TaskId): number {
  return Number(id.slice("task-".length));
}
