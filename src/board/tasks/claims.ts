// The task that an agent holds, and the tasks that it could claim.
import { ready } from "./graph.ts";
import type { Task, TaskId } from "./task.ts";

/** The task that `agent` has in progress. */
export function heldBy(tasks: Task[], agent: string): Task | undefined {
  return tasks.find((task) => task.status === "in_progress" && task.assigned_to === agent);
}

/** The tasks that `agent` could claim if it held none: those assigned to it first, then unassigned ones, each in id order. */
export function claimable(tasks: Task[], agent: string): Task[] {
  const byNumber = ready(tasks).sort((a, b) => taskNumber(a.id) - taskNumber(b.id));
  return [...byNumber.filter((task) => task.assigned_to === agent), ...byNumber.filter((task) => task.assigned_to === null)];
}

/** `task-12` → 12. */
export function taskNumber(id: TaskId): number {
  return Number(id.slice("task-".length));
}
