// Gives a member that is back the task that its end had blocked.
import type { Board } from "../../board/board.ts";
import { updateTask } from "../../board/tasks/tasks.ts";
import { taskToGiveBack } from "./plan.ts";

/** Resumes the task as its owner would. Does nothing when there is no such task; returns the reason of a refusal. */
export async function giveBack(board: Pick<Board, "tasks">, owner: string): Promise<string | undefined> {
  const change = await board.tasks.change((view) => {
    const id = taskToGiveBack(view.tasks, owner);
    return id === undefined
      ? undefined
      : updateTask({ ...view, teammates: [] }, { id, status: "in_progress" }, { name: owner, role: "teammate" });
  });
  return change && !change.ok ? change.reason : undefined;
}
