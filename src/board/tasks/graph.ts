// The dependency graph: what a task waits for, dependency cycles, and why the team is stuck.
import type { Task, TaskId } from "./task.ts";

/** The dependencies of `task` that are not completed, in the order of its list. An unknown id counts as not completed. */
export function unfinished(tasks: Task[], task: Task): TaskId[] {
  const completed = completedIds(tasks);
  return task.dependencies.filter((id) => !completed.has(id));
}

/** The shortest cycle through this task, from its id back to its id; undefined if there is none. */
export function cycleThrough(tasks: Task[], id: TaskId): TaskId[] | undefined {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const cameFrom = new Map<TaskId, TaskId>();
  const queue = [id];
  for (const current of queue) {
    for (const next of byId.get(current)?.dependencies ?? []) {
      if (next === id) return pathFrom(cameFrom, id, current);
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, current);
      queue.push(next);
    }
  }
  return undefined;
}

/** The open tasks whose dependencies are all completed. */
export function ready(tasks: Task[]): Task[] {
  const completed = completedIds(tasks);
  return tasks.filter((task) => task.status === "open" && task.dependencies.every((id) => completed.has(id)));
}

/**
 * Why the team is stuck: one sentence for each task that blocks it, cycles first. Empty if some work can continue, or if everything is completed.
 * `working`: the teammates that are working; if absent, every assignee counts as working. `waiting`: those that wait for the person.
 */
export function stallCulprits(tasks: Task[], working?: string[], waiting: string[] = []): string[] {
  const left = tasks.filter((task) => task.status !== "completed");
  const works = (name: string | null) => name !== null && (working === undefined || working.includes(name));
  const canBeTaken = ({ assigned_to }: Task) => (assigned_to === null ? working?.length !== 0 : works(assigned_to));
  const canContinue = left.some((task) => task.status === "in_progress" && works(task.assigned_to)) || ready(tasks).some(canBeTaken);
  if (canContinue) return [];
  return [
    ...cycles(left).map(cycleSentence),
    ...left.flatMap((task) => obstacles(task, tasks, { works, waits: (name) => name !== null && waiting.includes(name) })),
  ];
}

function completedIds(tasks: Task[]): Set<TaskId> {
  return new Set(tasks.filter((task) => task.status === "completed").map((task) => task.id));
}

function pathFrom(cameFrom: Map<TaskId, TaskId>, start: TaskId, last: TaskId): TaskId[] {
  const path = [start];
  for (let current: TaskId | undefined = last; current !== undefined && current !== start; current = cameFrom.get(current))
    path.unshift(current);
  return [start, ...path];
}

/** Each cycle once, starting with its first task in the list. */
function cycles(tasks: Task[]): TaskId[][] {
  const reported = new Set<TaskId>();
  return tasks.flatMap(({ id }) => {
    const cycle = reported.has(id) ? undefined : cycleThrough(tasks, id);
    for (const member of cycle ?? []) reported.add(member);
    return cycle ? [cycle] : [];
  });
}

function cycleSentence(cycle: TaskId[]): string {
  if (cycle.length === 2) return `${cycle[0]} depends on itself. Change its dependencies.`;
  return `${cycle.join(" → ")} is a cycle: each depends on the next. Change the dependencies of one of them.`;
}

type Members = { works: (name: string | null) => boolean; waits: (name: string | null) => boolean };

function obstacles(task: Task, tasks: Task[], { works, waits }: Members): string[] {
  const known = new Set(tasks.map(({ id }) => id));
  const missing = task.dependencies.filter((id) => !known.has(id));
  const holder = task.assigned_to ?? "nobody";
  const away = waits(task.assigned_to) ? "who waits for the user" : "who does not work in this team now";
  const found: string[] = [];
  if (missing.length > 0) found.push(`${task.id} depends on ${missing.join(", ")}, which the list does not have. Change its dependencies.`);
  if (task.status === "blocked") found.push(`${task.id} is blocked, held by ${holder}: ${task.blocked_reason ?? "no reason given"}`);
  else if (task.status === "in_progress") found.push(`${task.id} is in progress with ${holder}, ${away}.`);
  else if (task.assigned_to !== null && !works(task.assigned_to))
    found.push(`${task.id} is assigned to ${holder}, ${away}. Assign it to another teammate, or to nobody.`);
  else if (unfinished(tasks, task).length === 0) found.push(`${task.id} is ready, and there is no teammate to claim it. Start one.`);
  return found;
}
