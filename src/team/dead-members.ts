// Teammates that died without a lead to notice: only the commands that clean up a lost team record their end and release their tasks.

import { readableMembers, readableTasks } from "../board/readable.ts";
import { heldBy } from "../board/tasks/claims.ts";
import { type EndedMember, releaseTasksOfEnded } from "../board/tasks/release-tasks.ts";
import type { Task } from "../board/tasks/task.ts";
import type { Member } from "../board/team-record.ts";
import { endWords } from "./end-reasons.ts";
import { recordEnd } from "./lead/ended-members.ts";
import type { TeamPorts } from "./leftovers.ts";
import { lastSeen, ownExit } from "./member-files.ts";
import { memberProcess } from "./member-process.ts";
import { withFiles } from "./prompt.ts";
import { readTranscript } from "./report/read-transcript.ts";
import { createTouched } from "./report/touched.ts";

/** Tasks in progress whose owner was started once and has no process, with that owner. */
export function tasksOfDead(team: TeamPorts): { name: string; task: Task }[] {
  const tasks = readableTasks(team.board);
  return dead(team).flatMap(({ name }) => {
    const task = heldBy(tasks, name);
    return task ? [{ name, task }] : [];
  });
}

/** `meanwhile`: what happened to the team. Does nothing when there is nothing to release. The reason says what was refused; completed steps stay. */
export async function settleDead(team: TeamPorts, meanwhile: string): Promise<{ ok: true } | { ok: false; reason: string }> {
  for (const { name } of dead(team).filter(({ ended }) => !ended)) {
    const recorded = await recordEnd(team.board, { name, ...endOf(team, name), withTeam: true });
    if (!recorded.ok) return recorded;
  }
  return releaseTasks(team, meanwhile);
}

/** Of every member whose end is on record. */
export async function releaseTasks(team: TeamPorts, meanwhile: string): Promise<{ ok: true } | { ok: false; reason: string }> {
  const reason = ({ name, session, ended }: EndedMember, task: string) => {
    const touched = session === undefined ? [] : createTouched(readTranscript(team, session)).of(task);
    return withFiles(`${endWords(name, ended.how)}, and ${meanwhile}`, touched);
  };
  const result = await releaseTasksOfEnded(team.board, { by: "user", reason });
  return result.ok ? { ok: true } : result.refusal;
}

/** A member without a session is another program, so it is never considered dead. */
function dead({ board, processes }: TeamPorts): Member[] {
  return readableMembers(board).filter(
    ({ name, role, session }) => role === "teammate" && session !== undefined && memberProcess(board, name, processes).kind === "none",
  );
}

/** From its exit.json; without one, it died at an unknown time after it last wrote its status. */
function endOf({ board, disk, clock }: TeamPorts, name: string): { how: string; at: string } {
  const exit = ownExit(disk, board.layout, name);
  if (exit?.reason === "signal") return { how: `ended by ${exit.detail ?? "a signal"}`, at: exit.at };
  if (exit) return { how: exit.detail ?? exit.reason.replace("_", " "), at: exit.at };
  return { how: "its process died", at: (lastSeen(disk, board.layout, name) ?? clock.now()).toISOString() };
}
