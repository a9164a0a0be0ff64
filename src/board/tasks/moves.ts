// The legal moves of a task as a table. A move that is not in it is refused.

import type { Evidence } from "../../wording/evidence.ts";
import { isBlank } from "../blank.ts";
import type { TaskEvent } from "../event.ts";
import type { RefusalCode } from "../refusal.ts";
import type { Actor, Task, TaskStatus } from "./task.ts";

/** The changes that an update asks for, with checked types. A missing field stays unchanged. */
export type UpdateRequest = {
  id: string;
  status?: TaskStatus;
  summary?: string;
  reason?: string;
  /** Null removes the assignee. */
  assignee?: string | null;
  dependencies?: string[];
  /** Replaces the list of files that the task is to change. */
  files?: string[];
  /** Null removes it. */
  verify?: string | null;
  /** What the harness saw; no model, script or user can give it. */
  evidence?: Evidence | undefined;
};

export type Move = {
  /** For sentences such as `Cannot claim "task-3": …`. */
  verb: string;
  who: keyof typeof mayMove;
  /** The refusal for every other actor. */
  otherwise: RefusalCode;
  /** Checked before the move, in the order of refusals. `verified`: the task's verify command has just passed, if it names one; see verify.ts. */
  needs: ("idle" | "dependencies" | "summary" | "verified")[];
  effect: (task: Task, request: UpdateRequest, actor: Actor) => Task;
  /** Undefined: the move changes nothing and is not logged. */
  event: Exclude<TaskEvent["kind"], "file_taken" | "task_sent_back"> | undefined;
};

/** `same`: no status was requested, or an open or blocked task has that status already. */
export type Target = TaskStatus | "same";

export const moves: Record<TaskStatus, Partial<Record<Target, Move>>> = {
  open: {
    in_progress: {
      verb: "claim",
      who: "teammate",
      otherwise: "bad_transition",
      needs: ["idle", "dependencies"],
      effect: (task, _request, actor) => ({ ...withoutEvidence(task), status: "in_progress", assigned_to: actor.name }),
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
      needs: ["summary", "verified"],
      effect: (task, { summary, evidence }) => ({ ...withoutEvidence(task), status: "completed", summary, ...(evidence && { evidence }) }),
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
      effect: (task) => ({ ...withoutEvidence(unblocked(task)), status: "in_progress" }),
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

/** The actors of the table. The user may do what the lead may; the supervisor may take a task from a member that is gone. */
export const mayMove = {
  teammate: (actor: Actor) => actor.role === "teammate",
  owner: (actor: Actor, task: Task) => task.assigned_to === actor.name,
  "owner or supervisor": (actor: Actor, task: Task) => actor.role === "supervisor" || task.assigned_to === actor.name,
  lead: (actor: Actor, _task: Task, request: UpdateRequest) => leads(actor) || (actor.role === "supervisor" && onlyUnassigns(request)),
};

export function leads(actor: Actor): boolean {
  return actor.role === "lead" || actor.role === "user";
}

/** Whether the update has arguments that only the lead may use. The task's owner may use the others. */
export function edits(request: Pick<UpdateRequest, "assignee" | "dependencies" | "files" | "verify">): boolean {
  return editsPlan(request) || request.files !== undefined || request.verify !== undefined;
}

/** Whether the update changes what must not change while a task is in progress. */
export function editsPlan({ assignee, dependencies }: Pick<UpdateRequest, "assignee" | "dependencies">): boolean {
  return assignee !== undefined || dependencies !== undefined;
}

/** The column of the table that an update means. The owner may give a blocked task a new reason. */
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
  const { assignee, dependencies, files, verify, status } = request;
  return assignee === null && [dependencies, files, verify, status].every((change) => change === undefined);
}

type Edit = Pick<UpdateRequest, "assignee" | "dependencies" | "files" | "verify">;

function edited(before: Task, { assignee, dependencies, files, verify }: Edit): Task {
  const { verify: _replaced, ...others } = before;
  const task = verify === undefined ? before : (others as Task);
  return {
    ...task,
    ...(verify && { verify }),
    ...(assignee === undefined ? {} : { assigned_to: assignee }),
    ...(dependencies === undefined ? {} : { dependencies: withoutRepeats(dependencies) }),
    ...(files === undefined ? {} : { files: withoutRepeats(files) }),
  };
}

function withoutEvidence({ evidence: _old, ...task }: Task): Task {
  return task as Task;
}

function unblocked({ blocked_reason: _gone, ...task }: Task): Task {
  return task as Task;
}
