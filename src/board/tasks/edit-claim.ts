// Checks before a member edits a file of the shared tree: the edit gives the file to the member's task, unless another task in progress has it.
import type { Board } from "../board.ts";
import { heldBy } from "./claims.ts";
import { firstWith } from "./taken-files.ts";
import type { Task } from "./task.ts";
import { takeFile } from "./tasks.ts";

/** `made`: the file does not exist yet. */
export type EditClaim = { agent: string; path: string; made: boolean };

/** Why this agent must not edit the file at present; undefined if it may, or if it holds no task. Writes nothing. */
export function whyNotYours(board: Pick<Board, "tasks">, { agent, path }: Pick<EditClaim, "agent" | "path">): string | undefined {
  const read = board.tasks.read();
  const task = read.ok ? heldBy(read.list.tasks, agent) : undefined;
  const first = read.ok && task ? firstWith(read.list.tasks, path) : undefined;
  return task && first && first !== task ? refusal(path, first, task) : undefined;
}

/** Claims the file for the agent's task under the lock, or returns why the agent must not edit it. Owners and lead are told about an overlap. */
export async function claimEdit(board: Board, { agent, path, made }: EditClaim): Promise<string | undefined> {
  const read = board.tasks.read();
  if (!read.ok) return undefined; // an unreadable list is reported elsewhere and does not stop the owner of a task
  const held = heldBy(read.list.tasks, agent);
  if (!held || firstWith(read.list.tasks, path) === held) return undefined;
  const taken = await board.tasks.change((view) => takeFile(view, agent, { path, made }));
  if (!taken?.ok) return taken && `Cannot edit ${path} now: ${taken.reason}`;
  if (taken.event && "overlaps" in taken.event && taken.event.overlaps) await board.overlapNotices.send();
  return taken.first ? refusal(path, taken.first, taken.task) : undefined;
}

function refusal(path: string, first: Task, { id }: Task): string {
  return `Cannot edit ${path}: ${first.id} (${first.assigned_to}) is in progress and has it first. Go on with other files, and edit this one when ${first.id} is completed; or ask lead, who can give it to ${id}; or set ${id} to blocked with this reason`;
}
