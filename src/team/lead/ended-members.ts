// What follows the end of teammates: it is put on record, their tasks are released, and the lead is told. A step that is refused is tried again
// at the next look; what a process left undone that was killed in between is found in the files.

import type { Board } from "../../board/board.ts";
import { readableMembers, readableTasks } from "../../board/readable.ts";
import { type EndedMember, type Released, releaseTasksOfEnded } from "../../board/tasks/release-tasks.ts";
import type { Task, TaskId } from "../../board/tasks/task.ts";
import { changeMember } from "../../board/team-record.ts";
import { endWords } from "../end-reasons.ts";
import { memberGoneNotice, withFiles } from "../prompt.ts";

/** `tellLead`: nobody has asked for this end, so the lead's model has to hear of it. `withTeam`: the whole team ends, and can be resumed. */
export type EndOfMember = { name: string; how: string; at: string; tellLead: boolean; withTeam?: boolean };

export interface EndedMembers {
  /** Resolves when it is settled or was refused; a refused step is retried at a later look. */
  add(end: EndOfMember): Promise<void>;
  /** Settles what is not settled yet, ends that another process has put on record included. Two reads when there is nothing to do. */
  reconcile(): Promise<void>;
}

export type EndedMembersSetup = {
  board: Board;
  /** Files that this teammate wrote while it worked on that task. */
  touched: (member: { name: string; session?: string | undefined }, task: TaskId) => string[];
  /** Hears once of each new reason why an end cannot be settled just now. */
  onProblem: (reason: string) => void;
  tellLead: (text: string) => void;
};

export function createEndedMembers({ board, touched, onProblem, tellLead }: EndedMembersSetup): EndedMembers {
  const unsettled = new Map<string, EndOfMember>();
  let lastProblem: string | undefined;
  let queue = Promise.resolve();

  async function settle(): Promise<string | undefined> {
    for (const end of unsettled.values()) {
      const recorded = await recordEnd(board, end);
      if (!recorded.ok) return recorded.reason;
    }
    const reason = (member: EndedMember, task: TaskId) => withFiles(endWords(member.name, member.ended.how), touched(member, task));
    const result = await releaseTasksOfEnded(board, { by: "lead", reason });
    for (const one of result.released) if (one.task.status === "blocked") notice(one);
    // That the list is damaged is said by team-board.ts, which shows it.
    if (!result.ok) return result.refusal.code === "list_damaged" ? undefined : result.refusal.reason;
    for (const end of unsettled.values()) tell(end);
    return undefined;
  }

  /** Of a member that this process has not seen end, the lead hears when a task was taken from it. */
  function notice({ member: { name, ended } }: Released): void {
    if (!unsettled.has(name))
      unsettled.set(name, { name, how: ended.how, at: ended.at, tellLead: true, withTeam: ended.with_team === true });
  }

  function tell(end: EndOfMember): void {
    const left = end.tellLead
      ? blockedWith(board, end.name).map(({ id }) => ({ id, touched: touched(recorded(board, end.name), id) }))
      : [];
    unsettled.delete(end.name);
    if (end.tellLead) tellLead(memberGoneNotice(end.name, end.how, left));
  }

  async function look(): Promise<void> {
    const problem = await settle().catch(systemProblem);
    if (problem !== undefined && problem !== lastProblem) onProblem(problem);
    lastProblem = problem;
  }

  /** One after the other: waiting for a look includes everything that was added before it. */
  function queued(): Promise<void> {
    const looked = queue.then(look);
    queue = looked.catch(() => {}); // told to the caller for that look
    return looked;
  }

  return {
    add(end) {
      unsettled.set(end.name, end);
      return queued();
    },
    reconcile: queued,
  };
}

/** The first recorded end counts. */
export function recordEnd(
  board: Board,
  { name, how, at, withTeam = false }: Omit<EndOfMember, "tellLead">,
): ReturnType<Board["changeRecord"]> {
  const ended = { how, at, ...(withTeam && { with_team: true as const }) };
  return board.changeRecord((record) =>
    record.members.some((member) => member.name === name && !member.ended) ? changeMember(record, name, { ended }) : record,
  );
}

function blockedWith(board: Board, name: string): Task[] {
  return readableTasks(board).filter(({ status, assigned_to }) => status === "blocked" && assigned_to === name);
}

function recorded(board: Board, name: string): { name: string; session?: string | undefined } {
  return readableMembers(board).find((member) => member.name === name) ?? { name };
}

/** What cannot be read now is read again at the next look. */
function systemProblem(error: unknown): string {
  if (error instanceof Error && "code" in error) return `Cannot release the tasks of ended members: ${error.message}`;
  throw error;
}
