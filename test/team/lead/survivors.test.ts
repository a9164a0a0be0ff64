import { expect, it } from "vitest";
import type { Task } from "../../../src/board/tasks/task.ts";
import { memberSurvivors } from "../../../src/team/lead/survivors.ts";

const task = (id: string, more: Partial<Task>): Task => ({
  id: id as Task["id"],
  title: `Title of ${id}`,
  description: `Description of ${id}.`,
  status: "open",
  assigned_to: null,
  dependencies: [],
  created_at: "2026-01-01T00:00:00.000Z",
  ...more,
});

it("a member's summary keeps the task it holds, the members and the list", () => {
  const tasks = [task("task-1", { status: "completed", assigned_to: "bo" }), task("task-2", { status: "in_progress", assigned_to: "ada" })];
  const board = {
    record: () => ({ ok: true, record: { members: [{ name: "lead" }, { name: "ada" }] } }),
    tasks: { read: () => ({ ok: true, list: { tasks } }) },
  };
  const survivors = memberSurvivors(board as never, "ada");
  expect(survivors).toEqual({
    task: 'You hold task-2: Title of task-2\n\nDescription of task-2.\n\nWhen it is done, call TaskUpdate with id "task-2", status "completed" and a summary.',
    roster: "Members: lead, ada\n- task-1 Title of task-1: completed, bo\n- task-2 Title of task-2: in_progress, ada",
  });
  expect(memberSurvivors(board as never, "bo")).not.toHaveProperty("task");
});
