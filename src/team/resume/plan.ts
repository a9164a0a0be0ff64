// What a resume does with each member of a team, decided from what is on disk and in the process table and nothing else.
import type { Task, TaskId } from "../../board/tasks/task.ts";
import type { Member } from "../../board/team-record.ts";
import type { DisplayHandle } from "../display/display.ts";
import { saysOwnersEnd } from "../end-reasons.ts";
import type { MemberProcess, ProcessRef } from "../member-process.ts";
import type { MemberStatus } from "../report/status.ts";

/** What is left of a member after its process ended. */
export type Kept = {
  turns: number;
  /** Messages that its model has not seen. */
  unread: number;
  /** Tool calls that had begun and have no result. */
  interrupted: number;
  /** Calls that waited for the person's answer: they had not begun, and are asked about again. */
  questions: number;
  /** Its record names a transcript that it wrote to and that no longer exists. */
  lost: boolean;
};

export type MemberFacts = Kept & {
  member: Member;
  process: MemberProcess;
  /** As its newest process has written it. */
  status: MemberStatus | undefined;
  /** Where the record says that it is shown. */
  handle: DisplayHandle | undefined;
};

/** A teammate that survived its lead. */
export type LivingTeammate = { process: ProcessRef; nonce: string; handle: DisplayHandle };

/**
 * `adopt`: its process continues as it is. `start`: a new process continues from its transcript; `endFirst` is one that runs and cannot be looked
 * after. `leave`: nothing is done.
 */
export type MemberPlan = { name: string; kept: Kept } & (
  | { kind: "adopt"; session: string; living: LivingTeammate }
  | { kind: "start"; session: string; endFirst: ProcessRef | undefined }
  | { kind: "leave"; why: string }
);

/** One plan for each teammate, in the order of the record. */
export function resumePlan(members: MemberFacts[]): MemberPlan[] {
  return members.filter(({ member }) => member.role === "teammate").map(planOf);
}

function planOf(facts: MemberFacts): MemberPlan {
  const { member, process, turns, unread, interrupted, questions, lost } = facts;
  const common = { name: member.name, kept: { turns, unread, interrupted, questions, lost } };
  const { session, ended } = member;
  const leave = (why: string): MemberPlan => ({ ...common, kind: "leave", why });
  if (process.kind === "elsewhere") return leave(`it runs on ${process.where}`);
  if (session === undefined) return leave("it is another program's");
  const living = process.kind === "running" ? livingTeammate(facts, process) : undefined;
  if (living) return { ...common, kind: "adopt", session, living };
  if (ended && !ended.with_team) return leave(`it had ended before the team did: ${ended.how}`);
  const endFirst = process.kind === "running" ? { pid: process.pid, start: process.start } : undefined;
  return { ...common, kind: "start", session, endFirst };
}

/** Undefined if its status is not this process's, or if its place is not known. */
function livingTeammate({ status, handle }: MemberFacts, { pid, start }: ProcessRef): LivingTeammate | undefined {
  if (status?.pid !== pid || status.start !== start || !handle) return undefined;
  if (handle.kind === "tmux" && handle.panePid !== pid) return undefined;
  return { process: { pid, start }, nonce: status.nonce, handle };
}

/** The task that is blocked only because its owner ended. Nobody has more than one task in progress. */
export function taskToGiveBack(tasks: Task[], owner: string): TaskId | undefined {
  const own = tasks.filter(({ assigned_to }) => assigned_to === owner);
  if (own.some(({ status }) => status === "in_progress")) return undefined;
  return own.find(({ status, blocked_reason }) => status === "blocked" && saysOwnersEnd(blocked_reason, owner))?.id;
}
