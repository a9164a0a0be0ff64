// The rules of a team's task list: every change is a function from list to list, so the lock in task-file.ts has one thing to protect and a test
// needs no disk.

import type { TaskEventBody } from "../event.ts";
import { firstRefusal, type Refusal, refuse } from "../refusal.ts";
import { claimable, heldBy } from "./claims.ts";
import { edits, type Move, moves, targetOf, type UpdateRequest, withoutRepeats } from "./moves.ts";
import { firstWith, givenByLead, takingAll, withFile, withOverlaps } from "./taken-files.ts";
import type { Actor, Task, TaskId } from "./task.ts";
import { type Attempt, createChecks, idsInList, updateChecks } from "./task-checks.ts";

/** The list as one change sees it. */
export type ListView = {
  tasks: Task[];
  /** The number of the next new task; called only when one is made. */
  nextNumber: () => number;
  /** The revision after this change. */
  revision: number;
  /** ISO 8601, UTC. */
  now: string;
  /** The teammates that have not ended: the possible assignees. */
  teammates: string[];
};

export type CreateRequest = {
  title: string;
  description?: string;
  assignee?: string | null;
  dependencies?: string[];
  files?: string[];
  verify?: string | null;
};

/** Without an event nothing has changed and nothing is written. */
export type Change = { ok: true; tasks: Task[]; task: Task; event?: TaskEventBody } | Refusal;

/** Makes a new open task. Only the lead and the user may. */
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
    ...(request.files?.length && { files: withoutRepeats(request.files) }),
    ...(request.verify && { verify: request.verify }),
  };
  const { dependencies, files } = task;
  return { ok: true, tasks: [...view.tasks, task], task, event: { ...eventStamp(task, actor), kind: "task_created", dependencies, files } };
}

/** Changes an existing task by the table in moves.ts. An update without changes is accepted. */
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

/** The task that `agent` would claim next by itself; undefined while it holds one, or if none can be claimed. */
export function nextClaim(tasks: Task[], agent: string): Task | undefined {
  return heldBy(tasks, agent) ? undefined : claimable(tasks, agent)[0];
}

/** Gives the file to the task that `agent` holds, unless another task in progress has it: that one is `first`. */
export function takeFile(
  view: Omit<ListView, "teammates">,
  agent: string,
  file: { path: string; made: boolean },
): (Change & { first?: Task }) | undefined {
  const task = heldBy(view.tasks, agent);
  if (!task) return undefined;
  const first = firstWith(view.tasks, file.path);
  if (first === task) return { ok: true, tasks: view.tasks, task };
  const { path, made } = file;
  const taken = withFile(task, { path, since: view.revision, ...(made && { made }) });
  const { tasks, task: after, overlaps } = withOverlaps(view.tasks, taken, view.now);
  const event = { ...eventStamp(after, { name: agent, role: "teammate" }), kind: "file_taken" as const, path, overlaps };
  return { ok: true, tasks, task: after, ...(first && { first }), ...(after !== task && { event }) };
}

function applied({ view, request, actor, task, move }: Attempt): Change {
  const changed = withItsFiles(view, task, move?.effect(task, request, actor) ?? task);
  if (!move?.event || sameTask(task, changed)) return { ok: true, tasks: view.tasks, task };
  const { tasks, task: after, overlaps } = withOverlaps(view.tasks, changed, view.now);
  return { ok: true, tasks, task: after, event: eventOf(move.event, { before: task, after, actor, overlaps }) };
}

function withItsFiles({ revision }: ListView, before: Task, after: Task): Task {
  if (after.status !== "in_progress" || after === before) return after;
  return before.status === "in_progress" ? givenByLead(after, revision) : takingAll(after, revision);
}

type Happened = { before: Task; after: Task; actor: Actor; overlaps: TaskId[] | undefined };

function eventOf(kind: NonNullable<Move["event"]>, { before, after, actor, overlaps }: Happened): TaskEventBody {
  const stamp = eventStamp(after, actor);
  const dependencies = sameList(before.dependencies, after.dependencies) ? undefined : after.dependencies;
  const sameFiles = sameList(before.files, after.files) && before.taken_files === after.taken_files;
  const files = sameFiles ? undefined : (after.files ?? []);
  if (kind === "task_completed") return { ...stamp, kind, summary: after.summary ?? "", evidence: after.evidence };
  if (kind === "task_blocked") return { ...stamp, kind, reason: after.blocked_reason };
  if (kind === "task_changed") return { ...stamp, kind, dependencies, files };
  if (kind === "task_claimed" || kind === "task_resumed") return { ...stamp, kind, overlaps };
  return { ...stamp, kind };
}

function eventStamp(task: Task, actor: Actor) {
  return { by: actor.name, task: task.id, title: task.title, assigned_to: task.assigned_to };
}

/** Compares the fields that moves change; equal values mean an equal task. Files given by the lead to a task in progress always count as a change. */
function sameTask(a: Task, b: Task): boolean {
  const same = a.status === b.status && a.assigned_to === b.assigned_to && a.blocked_reason === b.blocked_reason && a.verify === b.verify;
  return same && sameList(a.dependencies, b.dependencies) && sameList(a.files, b.files) && a.taken_files === b.taken_files;
}

function sameList(a: string[] = [], b: string[] = []): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}
