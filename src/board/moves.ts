// The legal moves of a task. This table is the documentation: what is not in it is refused.
import { isBlank } from "./blank.ts";
import type { TaskEvent } from "./event.ts";
import type { RefusalCode } from "./refusal.ts";
import type { Actor, Task, TaskStatus } from "./task.ts";

/** What an update asks for, its types already checked. What is left out stays as it is. */
export type UpdateRequest = {
  id: string;
  status?: TaskStatus;
  summary?: string;
  reason?: string;
  /** Null takes the assignee away. */
  assignee?: string | null;
  dependencies?: string[];
  /** The whole new list of files that the task is to change. */
  files?: string[];
};

export type Move = {
  /** For sentences: `Cannot claim "task-3": …`. */
  verb: string;
  who: keyof typeof mayMove;
  /** The refusal for anybody else. */
  otherwise: RefusalCode;
  /** Checked before the move, in the order of refusals. */
  needs: ("idle" | "dependencies" | "summary")[];
  effect: (task: Task, request: UpdateRequest, actor: Actor) => Task;
  /** Undefined: the move changes nothing and leaves no trace. */
  event: Exclude<TaskEvent["kind"], "file_taken"> | undefined;
};

/** `same`: no status asked for, or the one that an open or blocked task has already. */
export type Target = TaskStatus | "same";

export const moves: Record<TaskStatus, Partial<Record<Target, Move>>> = {
  open: {
    in_progress: {
      verb: "claim",
      who: "teammate",
      otherwise: "bad_transition",
      needs: ["idle", "dependencies"],
      effect: (task, _request, actor) => ({ ...task, status: "in_progress", assigned_to: actor.name }),
      event: "task_claimed",
    },
    same: { verb: "edit", who: "lead", otherwise: "not_lead", needs: [], effect: edited, event: "task_changed" },
  },
  in_progress: {
    in_progress: { verb: "claim", who: "owner", otherwise: "already_claimed", needs: [], effect: (task) => task, event: undefined },
    completed: {
      verb: "complete",
      who: "owner",
      otherwise: "not_assignee",
      needs: ["summary"],
      effect: (task, { summary }) => ({ ...task, status: "completed", summary }),
      event: "task_completed",
    },
    blocked: {
      verb: "block",
      who: "owner or supervisor",
      otherwise: "not_assignee",
      needs: [],
      effect: (task, { reason }) => ({ ...task, status: "blocked", ...(isBlank(reason ?? "") ? {} : { blocked_reason: reason }) }),
      event: "task_blocked",
    },
    same: { verb: "edit", who: "lead", otherwise: "not_lead", needs: [], effect: edited, event: "task_changed" },
  },
  blocked: {
    in_progress: {
      verb: "resume",
      who: "owner",
      otherwise: "not_assignee",
      needs: ["idle", "dependencies"],
      effect: (task) => ({ ...unblocked(task), status: "in_progress" }),
      event: "task_resumed",
    },
    same: { verb: "edit", who: "lead", otherwise: "not_lead", needs: [], effect: edited, event: "task_changed" },
    blocked: {
      verb: "block",
      who: "owner",
      otherwise: "not_assignee",
      needs: [],
      effect: (task, { reason }) => ({ ...task, blocked_reason: reason }),
      event: "task_blocked",
    },
    open: {
      verb: "release",
      who: "lead",
      otherwise: "not_lead",
      needs: [],
      effect: (task, request) => ({ ...edited(unblocked(task), { ...request, assignee: request.assignee ?? null }), status: "open" }),
      event: "task_released",
    },
  },
  completed: {},
};

/** Who is meant. The user may do what the lead may; the supervisor may take a task from somebody who is gone. */
export const mayMove = {
  teammate: (actor: Actor) => actor.role === "teammate",
  owner: (actor: Actor, task: Task) => task.assigned_to === actor.name,
  "owner or supervisor": (actor: Actor, task: Task) => actor.role === "supervisor" || task.assigned_to === actor.name,
  lead: (actor: Actor, _task: Task, request: UpdateRequest) => leads(actor) || (actor.role === "supervisor" && onlyUnassigns(request)),
};

export function leads(actor: Actor): boolean {
  return actor.role === "lead" || actor.role === "user";
}

/** Only these arguments are reserved for the lead; the others are for the holder of the task. */
export function edits(request: Pick<UpdateRequest, "assignee" | "dependencies" | "files">): boolean {
  return editsPlan(request) || request.files !== undefined;
}

/** What stays as it is while a task is in progress. */
export function editsPlan({ assignee, dependencies }: Pick<UpdateRequest, "assignee" | "dependencies">): boolean {
  return assignee !== undefined || dependencies !== undefined;
}

/** Which column of the table an update means. A blocked task may get another reason from whoever holds it. */
export function targetOf(task: Task, request: UpdateRequest): Target {
  if (task.status === "blocked" && request.status !== "open" && !edits(request) && !isBlank(request.reason ?? "")) {
    return request.status ?? "blocked";
  }
  const resting = task.status === "open" || task.status === "blocked";
  return request.status === undefined || (resting && request.status === task.status) ? "same" : request.status;
}

export function withoutRepeats(ids: string[]): string[] {
  return [...new Set(ids)];
}

function onlyUnassigns(request: UpdateRequest): boolean {
  return request.assignee === null && request.dependencies === undefined && request.files === undefined && request.status === undefined;
}

function edited(task: Task, { assignee, dependencies, files }: Pick<UpdateRequest, "assignee" | "dependencies" | "files">): Task {
  return {
    ...task,
    ...(assignee === undefined ? {} : { assigned_to: assignee }),
    ...(dependencies === undefined ? {} : { dependencies: withoutRepeats(dependencies) }),
    ...(files === undefined ? {} : { files: withoutRepeats(files) }),
  };
}

function unblocked({ blocked_reason: _gone, ...task }: Task): Task {
  return task as Task;
}
