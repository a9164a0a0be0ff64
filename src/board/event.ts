// The events of a team, as events.jsonl stores them. The screen, `--print`, `tool team log` and the report all read this union.
import { z } from "zod";
import { evidenceSchema } from "../wording/evidence.ts";
import { messageKinds } from "./messages/message.ts";

const stamp = {
  /** ISO 8601, UTC. */
  at: z.string(),
  /** Who did it: a member's name, or `user`. */
  by: z.string(),
};

const taskStamp = {
  ...stamp,
  /** The task list's revision after this event. */
  revision: z.number(),
  task: z.string(),
  title: z.string(),
  /** After the event. */
  assigned_to: z.string().nullable(),
};

/** Tasks in progress that had one of its files first and were not told before. */
const overlaps = z.array(z.string()).optional();

export const teamEventSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("team_created"), ...stamp }),
  z.object({ kind: z.literal("team_resumed"), ...stamp }),
  z.object({
    kind: z.literal("task_created"),
    ...taskStamp,
    dependencies: z.array(z.string()).optional(),
    files: z.array(z.string()).optional(),
  }),
  z.object({ kind: z.literal("task_claimed"), ...taskStamp, overlaps }),
  z.object({ kind: z.literal("task_completed"), ...taskStamp, summary: z.string(), evidence: evidenceSchema.optional() }),
  /** Its owner wanted to complete it, and its verify command failed. It stays in progress. */
  z.object({ kind: z.literal("task_sent_back"), ...taskStamp, reason: z.string() }),
  /** `notice_owed`: the member has no process that would tell the lead. */
  z.object({ kind: z.literal("task_blocked"), ...taskStamp, reason: z.string().optional(), notice_owed: z.boolean().optional() }),
  z.object({ kind: z.literal("task_resumed"), ...taskStamp, overlaps }),
  z.object({ kind: z.literal("task_released"), ...taskStamp }),
  /** A new assignee, new dependencies or new files; the latter two are present only if they changed. */
  z.object({
    kind: z.literal("task_changed"),
    ...taskStamp,
    dependencies: z.array(z.string()).optional(),
    files: z.array(z.string()).optional(),
  }),
  /** The first edit of a file for this task, or the first attempt, which is refused if another task has the file. */
  z.object({ kind: z.literal("file_taken"), ...taskStamp, path: z.string(), overlaps }),
  /** The list was damaged and its previous version was restored. `damaged`: where the damaged file was moved to, if there was one. */
  z.object({ kind: z.literal("list_restored"), ...stamp, revision: z.number(), damaged: z.string().optional() }),
  /** `text` is shortened; the receiver's mailbox has the whole message under its id. */
  z.object({
    kind: z.literal("message_sent"),
    ...stamp,
    message: z.string(),
    mail: z.enum(messageKinds),
    to: z.string(),
    text: z.string(),
  }),
  z.object({ kind: z.literal("message_unreadable"), ...stamp, file: z.string(), reason: z.string() }),
  z.object({ kind: z.literal("member_started"), ...stamp, member: z.string() }),
  /** Its hands began to work at a place of the person's, and are gone. */
  z.object({ kind: z.literal("hands_started"), ...stamp, member: z.string(), place: z.string(), after_ms: z.number() }),
  z.object({ kind: z.literal("hands_gone"), ...stamp, member: z.string(), place: z.string(), how: z.string() }),
  /** Its process ended and is started again after that time. It keeps its task. */
  z.object({ kind: z.literal("member_restarted"), ...stamp, member: z.string(), how: z.string(), after_ms: z.number() }),
  /** It takes no task until somebody writes to it. `holds`: its task in progress. */
  z.object({
    kind: z.literal("member_waits"),
    ...stamp,
    member: z.string(),
    reason: z.string(),
    holds: z.string().nullable(),
    again_ms: z.number().optional(),
  }),
  /** It has worked without an event for too long; `interrupted`: so long that its turn was cut short. */
  z.object({ kind: z.literal("member_hung"), ...stamp, member: z.string(), reason: z.string(), interrupted: z.boolean() }),
  z.object({ kind: z.literal("member_ended"), ...stamp, member: z.string(), how: z.string() }),
]);
export type TeamEvent = z.infer<typeof teamEventSchema>;

/** Events of changes to the task list. */
export type TaskEvent = Extract<TeamEvent, { task: string }>;

type WithoutStamp<Event> = Event extends TaskEvent ? Omit<Event, "at" | "revision"> : never;
/** A task event before the task file adds its time and revision. */
export type TaskEventBody = WithoutStamp<TaskEvent>;
