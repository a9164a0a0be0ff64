// Files that other members have created, according to the list: for the next turn of a teammate.
import type { NewFile } from "../../agent/new-files.ts";
import type { Task } from "../../board/tasks/task.ts";

export function othersFiles(tasks: readonly Task[], me: string): NewFile[] {
  return tasks.flatMap(({ id, assigned_to, taken_files = [] }) =>
    assigned_to === me ? [] : taken_files.flatMap(({ path, made }) => (made ? { path, by: `${assigned_to ?? "nobody"}, ${id}` } : [])),
  );
}
