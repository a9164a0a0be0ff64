// What becomes of the work of a member that will not come back.
import { heldBy } from "./claims.ts";
import type { Actor } from "./task.ts";
import { type Change, type ListView, updateTask } from "./tasks.ts";

/** A member that will not come back. `by`: who found out. */
export type Gone = { name: string; reason: string; by: string };

/**
 * The next step of taking its work from a member that is gone: its task in progress becomes blocked with the reason, then its open
 * tasks lose their assignee, one a call. Undefined when there is nothing left to take.
 */
export function takeFromGone(view: ListView, { name, reason, by }: Gone): Change | undefined {
  const supervisor: Actor = { name: by, role: "supervisor" };
  const held = heldBy(view.tasks, name);
  if (held) return updateTask(view, { id: held.id, status: "blocked", reason }, supervisor);
  const waiting = view.tasks.find((task) => task.status === "open" && task.assigned_to === name);
  return waiting && updateTask(view, { id: waiting.id, assignee: null }, supervisor);
}
