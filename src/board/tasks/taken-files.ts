// Which task in progress has which file of the shared tree: the first that named or edited it, until the lead decides otherwise. Pure.
import type { TakenFile, Task, TaskId } from "./task.ts";

/** Of the tasks in progress: the one that the lead gave the file to last, otherwise the one that took it first. */
export function firstWith(tasks: Task[], path: string): Task | undefined {
  const having = tasks.flatMap((task) => {
    const file = task.status === "in_progress" ? takenAs(task, path) : undefined;
    return file ? { task, ...file } : [];
  });
  return having.sort((a, b) => (b.given ?? 0) - (a.given ?? 0) || a.since - b.since)[0]?.task;
}

/** The files that another task in progress took before this one. */
export function filesFirstWith(tasks: Task[], task: Task, other: Task): string[] {
  const shared = (task.taken_files ?? []).filter(({ path }) => takenAs(other, path));
  return shared.map(({ path }) => path).filter((path) => firstWith(tasks, path) === other);
}

/** The task with one more file; unchanged if it has the file already. */
export function withFile(task: Task, file: TakenFile): Task {
  return takenAs(task, file.path) ? task : { ...task, taken_files: [...(task.taken_files ?? []), file] };
}

/** The task as it goes into progress: it takes the files that it names and those that it had before. */
export function takingAll(task: Task, revision: number): Task {
  const before = (task.taken_files ?? []).map(({ path, made }) => ({ path, since: revision, ...(made && { made }) }));
  const more = (task.files ?? []).filter((path) => !before.some((file) => file.path === path));
  const taken = [...before, ...more.map((path) => ({ path, since: revision }))];
  return taken.length > 0 ? { ...task, taken_files: taken } : task;
}

/** The task after the lead has changed its files: it has exactly these, with priority over all other tasks. */
export function givenByLead(task: Task, revision: number): Task {
  return {
    ...task,
    taken_files: (task.files ?? []).map((path) => ({ ...(takenAs(task, path) ?? { path, since: revision }), given: revision })),
  };
}

/**
 * Puts the task into the list and records overlaps: tasks that had one of its files first. An overlap of two tasks is reported once, whichever is the
 * later one.
 */
export function withOverlaps(tasks: Task[], task: Task, now: string): { tasks: Task[]; task: Task; overlaps: TaskId[] | undefined } {
  const placed = tasks.map((other) => (other.id === task.id ? task : other));
  const told = (one: Task, other: Task) => one.overlaps?.some(({ task: id }) => id === other.id);
  const under = task.status === "in_progress" ? placed : [];
  const overlaps = under
    .filter((other) => other !== task && !told(task, other) && !told(other, task) && filesFirstWith(placed, task, other).length > 0)
    .map(({ id }) => id);
  if (overlaps.length === 0) return { tasks: placed, task, overlaps: undefined };
  const noted = { ...task, overlaps: [...(task.overlaps ?? []), ...overlaps.map((id) => ({ task: id, at: now }))] };
  return { tasks: placed.map((other) => (other === task ? noted : other)), task: noted, overlaps };
}

function takenAs(task: Task, path: string): TakenFile | undefined {
  return task.taken_files?.find((file) => file.path === path);
}
