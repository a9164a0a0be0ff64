import { expect, it } from "vitest";
import { stallCulprits } from "../../../src/board/tasks/graph.ts";
import type { Task } from "../../../src/board/tasks/task.ts";
import { stuckLines } from "../../../src/screen/team/stuck-lines.ts";

const task = (id: string, change: Partial<Task>): Task => ({
  id: id as Task["id"],
  title: id,
  description: "",
  status: "open",
  assigned_to: null,
  dependencies: [],
  created_at: "",
  ...change,
});

const members = [
  { name: "cy", state: "idle" },
  { name: "bo", state: "ended" },
] as const;

it.each<[string, Task[], string[], string]>([
  [
    "blocked",
    [task("task-1", { status: "blocked", assigned_to: "cy", blocked_reason: "which format?" })],
    ["cy"],
    'team send cy "your answer"',
  ],
  [
    "blocked by the end of its holder, whom no message reaches",
    [task("task-1", { status: "blocked", assigned_to: "bo", blocked_reason: "bo is gone: its pane was closed" })],
    ["cy"],
    'team task update task-1 --status open --assignee ""',
  ],
  [
    "held by one who is gone",
    [task("task-1", { status: "in_progress", assigned_to: "cy" })],
    [],
    'team task update task-1 --status open --assignee ""',
  ],
  ["assigned to one who is gone", [task("task-1", { assigned_to: "cy" })], [], 'team task update task-1 --status open --assignee ""'],
  ["free without a teammate", [task("task-1", {})], [], 'team send lead "Start a teammate for it."'],
  ["waiting for itself", [task("task-1", { dependencies: ["task-1"] as Task["id"][] })], ["cy"], 'team task update task-1 --depends ""'],
])("names the command for a task that is %s", (_, tasks, working, act) => {
  const lines = stuckLines(stallCulprits(tasks, working), { command: "tool", team: "atlas", members });
  expect(lines).toContain(`    tool ${act} --team atlas`);
});

it("says nothing of a team that is not stuck", () => {
  expect(stuckLines([], { command: "tool", team: "atlas", members })).toEqual([]);
});
