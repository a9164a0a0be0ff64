// The rules of a team's task list: every change is a function from list to list, so the lock in task-file.ts has one thing to
// protect and a test needs no disk.
import { claimable, heldBy } from "./claims.ts";
import type { TaskEventBody } from "./event.ts";
import { edits, type Move, moves, targetOf, type UpdateRequest, withoutRepeats } from "./moves.ts";
import { firstRefusal, type Refusal, refuse } from "./refusal.ts";
import type { Actor, Task } from "./task.ts";
import { type Attempt, createChecks, idsInList, updateChecks } from "./task-checks.ts";

/** The list as one change sees it. */
export type ListView = {
  tasks: Task[];
  /** The number of the next new task; asked for only when one is made. */
  nextNumber: () => number;
  /** ISO 8601, UTC. */
  now: string;
  /** Who may be given a task: the teammates that have not ended. */
  teammates: string[];
};

export type CreateRequest = { title: string; description?: string; assignee?: string | null; dependencies?: string[] };

/** Without an event nothing has changed and nothing needs to be written. */
export type Change = { ok: true; tasks: Task[]; task: Task; event?: TaskEventBody } | Refusal;

/** A new task, open. The lead and the user make tasks. */
export function createTask(view: ListView, request: CreateRequest, actor: Actor): Change {
  const refusal = firstRefusal(createChecks, { view, request, actor });
  if (refusal) return refusal;
  const task: Task = {
    id: `task-${view.nextNumber()}`,
    title: request.title,
    description: request.description ?? "",
    status: "open",
    assigned_to: request.assignee ?? null,
    dependencies: withoutRepeats(request.dependencies ?? []),
    created_at: view.now,
  };
  const dependencies = task.dependencies;
  return { ok: true, tasks: [...view.tasks, task], task, event: { ...eventStamp(task, actor), kind: "task_created", dependencies } };
}

/** Any change to a task that exists, by the table in moves.ts. An update that asks for nothing is harmless. */
export function updateTask(view: ListView, request: UpdateRequest, actor: Actor): Change {
  const task = view.tasks.find(({ id }) => id === request.id);
  if (!task) return refuse("not_found", `Cannot change "${request.id}": there is no such task. ${idsInList(view.tasks)}`);
  const target = targetOf(task, request);
  if (target === "same" && !edits(request)) return { ok: true, tasks: view.tasks, task };
  const attempt: Attempt = { view, request, actor, task, target, move: moves[task.status][target] };
  const refusal = firstRefusal(updateChecks, attempt);
  if (refusal) return refusal;
  return applied(attempt);
}

/** The task that `agent` takes next by itself; undefined while it holds one, and when none can be claimed. */
export function nextClaim(tasks: Task[], agent: string): Task | undefined {
  return heldBy(tasks, agent) ? undefined : claimable(tasks, agent)[0];
}

function applied({ view, request, actor, task, move }: Attempt): Change {
  const changed = move?.effect(task, request, actor) ?? task;
  if (!move?.event || sameTask(task, changed)) return { ok: true, tasks: view.tasks, task };
  const tasks = view.tasks.map((other) => (other === task ? changed : other));
  return { ok: true, tasks, task: changed, event: eventOf(move.event, { before: task, after: changed, actor }) };
}

function eventOf(kind: NonNullable<Move["event"]>, { before, after, actor }: { before: Task; after: Task; actor: Actor }): TaskEventBody {
  const stamp = eventStamp(after, actor);
  const dependencies = sameList(before.dependencies, after.dependencies) ? undefined : after.dependencies;
  if (kind === "task_completed") return { ...stamp, kind, summary: after.summary ?? "" };
  if (kind === "task_blocked") return { ...stamp, kind, reason: after.blocked_reason };
  if (kind === "task_changed") return { ...stamp, kind, dependencies };
  return { ...stamp, kind };
}

function eventStamp(task: Task, actor: Actor) {
  return { by: actor.name, task: task.id, title: task.title, assigned_to: task.assigned_to };
}

/** Moves change these; with an equal status they mean an equal task. */
function sameTask(a: Task, b: Task): boolean {
  const same = a.status === b.status && a.assigned_to === b.assigned_to && a.blocked_reason === b.blocked_reason;
  return same && sameList(a.dependencies, b.dependencies);
}

function sameList(a: string[], b: string[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
