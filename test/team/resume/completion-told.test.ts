import { expect, it } from "vitest";
import type { Input, TranscriptEvent } from "../../../src/agent/events.ts";
import type { Task } from "../../../src/board/tasks/task.ts";
import { allCompletedInput } from "../../../src/team/prompt.ts";
import { completionTold } from "../../../src/team/resume/completion-told.ts";
import { task } from "../../board/examples.ts";

it("completionTold() tells an end that was reported from one that was still being tested, and from an earlier list", () => {
  const tasks: Task[] = [task({ id: "task-1", status: "completed", assigned_to: "ann", summary: "Done" })];
  const input = (text: string) =>
    ({ type: "input", inputs: [{ source: { kind: "harness" }, text } satisfies Input] }) as unknown as TranscriptEvent;
  const told = [input("Do it."), input(`${allCompletedInput(tasks)}\n\nThere npm test passes.`)];
  const more: Task[] = [...tasks, task({ id: "task-2", status: "completed", assigned_to: "ann", summary: "Done" })];
  expect([completionTold(told, tasks), completionTold(told.slice(0, 1), tasks), completionTold(told, more)]).toEqual([true, false, false]);
});
