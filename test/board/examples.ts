// Tasks, lists and actors for tests: each field has a plain default, which a test overrides where it matters.
import type { Actor, Task } from "../../src/board/tasks/task.ts";
import type { ListView } from "../../src/board/tasks/tasks.ts";

export const now = "2026-01-02T03:04:05.000Z";

export const ann: Actor = { name: "ann", role: "teammate" };
export const bo: Actor = { name: "bo", role: "teammate" };
export const lead: Actor = { name: "lead", role: "lead" };
export const user: Actor = { name: "user", role: "user" };
export const supervisor: Actor = { name: "lead", role: "supervisor" };

export function task(facts: Partial<Task> & { id: string }): Task {
  return { title: `Title of ${facts.id}`, description: "", status: "open", assigned_to: null, dependencies: [], created_at: now, ...facts };
}

export function view(tasks: Task[]): ListView {
  return { tasks, nextNumber: () => tasks.length + 1, revision: 1, now, teammates: ["ann", "bo"] };
}
