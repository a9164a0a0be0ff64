// The teammates as agents at work: what each is doing, and for how long. For /tasks and `tool tasks`.
import type { TeamEvent } from "../board/event.ts";
import type { Task } from "../board/tasks/task.ts";
import type { TeamRecord } from "../board/team-record.ts";
import { type MemberView, type StatusPorts, type TeamStatus, teamStatus } from "./report/team-status.ts";

export type AgentAtWork = Pick<MemberView, "name" | "state" | "turns" | "tokens" | "doing" | "how" | "pid" | "hands" | "evidence"> & {
  /** The title of the task it holds, or else what it was started for. */
  what: string;
  /** On that task, or since its start when it holds none; until its end. Null when nobody knows. */
  elapsed_ms: number | null;
};

export type TeamAtWork = { status: TeamStatus; record: TeamRecord; tasks: Task[]; events: TeamEvent[] };

/** The reason names the file that cannot be read. */
export function teamAtWork(ports: StatusPorts): { ok: true; team: TeamAtWork } | { ok: false; reason: string } {
  const { board } = ports;
  const [status, record, list] = [teamStatus(ports), board.record(), board.tasks.read()];
  if (!status.ok) return status;
  if (!record.ok) return record;
  if (!list.ok) return list;
  return { ok: true, team: { status: status.status, record: record.record, tasks: list.list.tasks, events: board.follow().next() } };
}

export function agentsAtWork({ status, record, tasks, events }: TeamAtWork, now: Date): AgentAtWork[] {
  return status.members
    .filter(({ role }) => role === "teammate")
    .map((member) => {
      const { name, state, turns, tokens, doing, how, pid, hands, evidence } = member;
      const held = tasks.find(({ id }) => id === (member.task ?? member.blocked[0]));
      const began = held ? tookUp(events, name, held.id) : startOf(events, name);
      const ended = state === "ended" || state === "died" ? member.since : now.toISOString();
      return {
        name,
        state,
        turns,
        tokens,
        doing,
        how,
        pid,
        hands,
        evidence,
        what: held?.title ?? record.members.find((one) => one.name === name)?.prompt?.split("\n", 1)[0] ?? "",
        elapsed_ms: began === undefined || ended === null ? null : Math.max(0, Date.parse(ended) - Date.parse(began)),
      };
    });
}

/** When it last claimed or resumed that task. */
function tookUp(events: TeamEvent[], name: string, task: string): string | undefined {
  return events.findLast(
    (event) => (event.kind === "task_claimed" || event.kind === "task_resumed") && event.task === task && event.assigned_to === name,
  )?.at;
}

function startOf(events: TeamEvent[], name: string): string | undefined {
  return events.findLast((event) => event.kind === "member_started" && event.member === name)?.at;
}
