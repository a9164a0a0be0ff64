// The tasks and the members of a team, for whoever can go on without them: a file that cannot be read has none, and the loops of the members report it.
import type { Board } from "./board.ts";
import type { Task } from "./tasks/task.ts";
import type { Member } from "./team-record.ts";

export function readableTasks({ tasks }: Pick<Board, "tasks">): Task[] {
  const read = tasks.read();
  return read.ok ? read.list.tasks : [];
}

export function readableMembers(board: Pick<Board, "record">): Member[] {
  const read = board.record();
  return read.ok ? read.record.members : [];
}
