// Releases the tasks of members that have ended. The record, the claims and the list are read each time, so the next process that looks completes,
// once, what a killed or refused process left undone.

import type { Board } from "../board.ts";
import { readableMembers } from "../readable.ts";
import type { Refusal } from "../refusal.ts";
import type { Member } from "../team-record.ts";
import { heldBy } from "./claims.ts";
import type { Actor, Task, TaskId } from "./task.ts";
import { type Change, type ListView, updateTask } from "./tasks.ts";

/** `by`: who noticed the end of the member. `keepOpen`: its open tasks stay assigned to it. */
export type Release = { name: string; reason: string; by: string; keepOpen: boolean };

/**
 * The next step of releasing an ended member's tasks: its task in progress becomes blocked with the reason; then, if the member will not return, its
 * open tasks lose their assignee, one in each call. Undefined if nothing is left to release. A blocked task does not change.
 */
export function nextRelease(view: ListView, { name, reason, by, keepOpen }: Release): Change | undefined {
  const supervisor: Actor = { name: by, role: "supervisor" };
  const held = heldBy(view.tasks, name);
  if (held) return updateTask(view, { id: held.id, status: "blocked", reason }, supervisor);
  const waiting = keepOpen ? undefined : view.tasks.find((task) => task.status === "open" && task.assigned_to === name);
  return waiting && updateTask(view, { id: waiting.id, assignee: null }, supervisor);
}

export type EndedMember = Member & { ended: NonNullable<Member["ended"]> };

/** `reason`: why a task of this member is blocked; called outside the lock. */
export type ReleaseOfEnded = { by: string; reason: (member: EndedMember, task: TaskId) => string };

/** A task after its release, and the member that had it. */
export type Released = { member: EndedMember; task: Task };

/**
 * Releases the tasks of every member that has ended according to the record and holds no claim. Each release is a separate change; earlier ones stay
 * if a later one is refused.
 */
export async function releaseTasksOfEnded(
  board: Board,
  { by, reason }: ReleaseOfEnded,
): Promise<{ ok: true; released: Released[] } | { ok: false; refusal: Refusal; released: Released[] }> {
  const released: Released[] = [];
  for (;;) {
    const found = nextHolder(board);
    if (!found) return { ok: true, released };
    if (!found.ok) return { ok: false, refusal: found, released };
    const { member, held } = found;
    const release = { name: member.name, reason: held ? reason(member, held.id) : "", by, keepOpen: comesBack(member) };
    const change = await board.tasks.change((view) =>
      hasEnded(board, member.name) ? nextRelease({ ...view, teammates: [] }, release) : undefined,
    );
    if (change && !change.ok) return { ok: false, refusal: change, released };
    if (change) released.push({ member, task: change.task });
  }
}

/** The first ended member that has a task to release. Reads without the lock. */
function nextHolder(board: Board): { ok: true; member: EndedMember; held: Task | undefined } | Refusal | undefined {
  const list = board.tasks.read();
  if (!list.ok) return list;
  const { tasks } = list.list;
  const assigned = tasks.filter(({ status, assigned_to }) => assigned_to !== null && (status === "in_progress" || status === "open"));
  const isHolder = (member: EndedMember) =>
    assigned.some(({ status, assigned_to }) => assigned_to === member.name && (status === "in_progress" || !comesBack(member)));
  const member = assigned.length > 0 && endedMembers(board).find(isHolder);
  return member ? { ok: true, member, held: heldBy(tasks, member.name) } : undefined;
}

/** Whether the member returns when the team is resumed. */
function comesBack({ ended }: EndedMember): boolean {
  return ended.with_team === true;
}

/** An unreadable record names no members; the next change of the record reports it. */
function endedMembers(board: Board): EndedMember[] {
  return readableMembers(board).filter(
    (member): member is EndedMember => member.ended !== undefined && board.holder(member.name) === undefined,
  );
}

function hasEnded(board: Board, name: string): boolean {
  return endedMembers(board).some((member) => member.name === name);
}
