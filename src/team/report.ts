// What a team did, gathered from its list, its log, its members' statuses and transcripts: the final summary and `tool team report` show it.
import type { TeamEvent } from "../board/event.ts";
import type { Task, TaskId } from "../board/task.ts";
import type { MemberStatus } from "./status.ts";

export type TeamReport = {
  team: string;
  tasks: (Pick<Task, "id" | "title" | "status" | "assigned_to" | "dependencies"> & {
    summary?: string;
    blocked_reason?: string;
    files: string[];
  })[];
  completed: number;
  /** Teammates in order of joining. */
  members: string[];
  ms: number;
  tokens: number;
  cached_tokens: number;
  /** Null when the price of a model is not known. */
  cost_usd: number | null;
  blocks: { task: TaskId; ms: number; reason: string; answered_by: string | null }[];
  ends: { member: string; how: string }[];
};

export type ReportSources = {
  team: string;
  tasks: Task[];
  events: TeamEvent[];
  members: MemberStatus[];
  /** Files written while this member held that task. */
  touched: (member: string, task: TaskId) => string[];
  startedAt: Date;
  endedAt: Date;
};

export function teamReport({ team, tasks, events, members, touched, startedAt, endedAt }: ReportSources): TeamReport {
  const teammates = members.filter(({ name }) => name !== "lead");
  const total = (count: (member: MemberStatus) => number) => members.reduce((sum, member) => sum + count(member), 0);
  return {
    team,
    tasks: tasks.map(({ id, title, status, assigned_to, dependencies, summary, blocked_reason }) => ({
      id,
      title,
      status,
      assigned_to,
      dependencies,
      summary,
      blocked_reason,
      files: [...new Set(teammates.flatMap(({ name }) => touched(name, id)))],
    })),
    completed: tasks.filter(({ status }) => status === "completed").length,
    members: teammates.map(({ name }) => name),
    ms: endedAt.getTime() - startedAt.getTime(),
    tokens: total((member) => member.tokens),
    cached_tokens: total((member) => member.cached_tokens),
    cost_usd: members.some((member) => member.cost_usd === null) ? null : total((member) => member.cost_usd ?? 0),
    blocks: blocksOf(events, endedAt),
    ends: events.flatMap((event) =>
      event.kind === "member_ended" && event.how !== "stopped" ? { member: event.member, how: event.how } : [],
    ),
  };
}

/** Each time a task was blocked: for how long, why, and who wrote to its holder in that time. */
function blocksOf(events: TeamEvent[], endedAt: Date): TeamReport["blocks"] {
  return events.flatMap((event, index) => {
    if (event.kind !== "task_blocked") return [];
    const later = events.slice(index + 1);
    const end = later.find((next) => "task" in next && next.task === event.task && next.kind !== "task_changed");
    const until = end ? Date.parse(end.at) : endedAt.getTime();
    const answer = later.find((next) => next.kind === "message_sent" && next.to === event.assigned_to && Date.parse(next.at) <= until);
    return {
      task: event.task,
      ms: until - Date.parse(event.at),
      reason: event.reason ?? "no reason given",
      answered_by: answer?.by ?? null,
    };
  });
}
