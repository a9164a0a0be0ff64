// What a team did, gathered from its list, its log, its members' statuses and transcripts: the final summary and `tool team report` show it.
import { z } from "zod";
import { denialSchema, type Incident, reported } from "../../agent/result/outcome.ts";
import type { TeamEvent } from "../../board/event.ts";
import { type Task, type TaskId, taskStatuses } from "../../board/tasks/task.ts";
import { evidenceSchema } from "../../wording/evidence.ts";
import { asWished } from "../end-reasons.ts";
import { blocksOf } from "./blocks.ts";
import { costOf, type MemberStatus } from "./status.ts";
import type { FileChange } from "./touched.ts";

const reportedTask = z.object({
  id: z.string(),
  title: z.string(),
  status: z.enum(taskStatuses),
  assigned_to: z.string().nullable(),
  dependencies: z.array(z.string()),
  summary: z.string().optional(),
  /** The last test that was run for it; null when nobody looked, as for a task that another program completed. */
  evidence: evidenceSchema.nullable().default(null),
  blocked_reason: z.string().optional(),
  files: z.array(z.string()),
  /** The same files with the lines that were added and removed, where they are known. Earlier versions wrote none. */
  changes: z.array(z.object({ path: z.string(), added: z.number().optional(), removed: z.number().optional() })).default([]),
});

export const teamReportSchema = z.object({
  team: z.string(),
  tasks: z.array(reportedTask),
  completed: z.number(),
  /** Teammates in order of joining. */
  members: z.array(z.string()),
  ms: z.number(),
  tokens: z.number(),
  cached_tokens: z.number(),
  /** Null when the price of a model is not known. */
  cost_usd: z.number().nullable(),
  blocks: z.array(z.object({ task: z.string(), ms: z.number(), reason: z.string(), answered_by: z.string().nullable() })),
  ends: z.array(z.object({ member: z.string(), how: z.string() })),
  /** Calls that were refused for lack of a permission, and what failed or reached a limit. Earlier versions wrote none. */
  permission_denials: z.array(denialSchema.extend({ agent: z.string() })).default([]),
  failures: z.array(z.object({ item: z.string(), error: z.string(), agent: z.string() })).default([]),
});
export type TeamReport = z.infer<typeof teamReportSchema>;

export type ReportSources = {
  team: string;
  tasks: Task[];
  events: TeamEvent[];
  members: MemberStatus[];
  /** Files written while this member worked on that task. */
  changes: (member: string, task: TaskId) => FileChange[];
  /** What its members and their agents lacked or failed in. */
  incidents: readonly Incident[];
  startedAt: Date;
  endedAt: Date;
};

export function teamReport({ team, tasks, events, members, changes, incidents, startedAt, endedAt }: ReportSources): TeamReport {
  const teammates = members.filter(({ name }) => name !== "lead");
  const total = (count: (member: MemberStatus) => number) => members.reduce((sum, member) => sum + count(member), 0);
  return {
    team,
    tasks: tasks.map(({ id, title, status, assigned_to, dependencies, summary, evidence = null, blocked_reason }) => {
      const changed = teammates.flatMap(({ name }) => changes(name, id));
      const files = [...new Set(changed.map(({ path }) => path))];
      return { id, title, status, assigned_to, dependencies, summary, evidence, blocked_reason, files, changes: changed };
    }),
    completed: tasks.filter(({ status }) => status === "completed").length,
    members: teammates.map(({ name }) => name),
    ms: endedAt.getTime() - startedAt.getTime(),
    tokens: total((member) => member.tokens),
    cached_tokens: total((member) => member.cached_tokens),
    cost_usd: costOf(members),
    blocks: blocksOf(events, endedAt),
    ends: events.flatMap((event) =>
      event.kind === "member_ended" && event.how !== asWished ? { member: event.member, how: event.how } : [],
    ),
    ...reported(incidents),
  };
}
