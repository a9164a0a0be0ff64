// What a member's conversation must not lose when it is summarized: the task it holds, who is in the team, how the list stands. Mail that was
// not read yet waits in the mailbox, and instructions are in the system prompt: both survive by themselves.

import type { Survivors } from "../../agent/prompt.ts";
import type { Board } from "../../board/board.ts";
import { readableTasks } from "../../board/readable.ts";
import { heldBy } from "../../board/tasks/claims.ts";
import type { Task } from "../../board/tasks/task.ts";
import type { TeamRecord } from "../../board/team-record.ts";

/** From the current files of the board. What cannot be read is left out. */
export function memberSurvivors(board: Pick<Board, "record" | "tasks">, name: string): Survivors {
  const record = board.record();
  const tasks = readableTasks(board);
  const held = heldBy(tasks, name);
  return {
    ...(held && { task: taskText(held) }),
    ...(record.ok && { roster: rosterText(record.record, tasks) }),
  };
}

function taskText({ id, title, description }: Task): string {
  return `You hold ${id}: ${title}\n\n${description}\n\nWhen it is done, call TaskUpdate with id "${id}", status "completed" and a summary.`;
}

function rosterText({ members }: TeamRecord, tasks: Task[]): string {
  const lines = tasks.map(({ id, title, status, assigned_to }) => `- ${id} ${title}: ${status}${assigned_to ? `, ${assigned_to}` : ""}`);
  return [`Members: ${members.map(({ name }) => name).join(", ")}`, ...lines].join("\n");
}
