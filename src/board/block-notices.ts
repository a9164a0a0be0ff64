// The lead is told about every block by a member that has no process of its own to tell it. Which blocks it was not told of is read from the log, the
// list and its mailbox, so that a notice that was refused, or whose sender was killed, is sent by whoever looks next, once.
import type { TeamEvent } from "./event.ts";
import type { TeamLayout } from "./layout.ts";
import type { Follower } from "./log.ts";
import { createOwedMessages, owedId } from "./owed-messages.ts";
import type { Refusal } from "./refusal.ts";
import type { Task, TaskId } from "./task.ts";
import type { BoardPorts, TaskFile } from "./task-file.ts";

export interface BlockNotices {
  /** Blocked tasks of which the lead does not know yet. */
  untold(): TaskId[];
  /** Sends what is missing. Refused, it is still missing. */
  send(): Promise<Refusal | undefined>;
}

export type BlockNoticesSetup = { ports: BoardPorts; layout: TeamLayout; tasks: TaskFile; follow: () => Follower };

type Blocked = Extract<TeamEvent, { kind: "task_blocked" }>;

export function createBlockNotices({ ports, layout, tasks, follow }: BlockNoticesSetup): BlockNotices {
  const last = new Map<TaskId, Blocked>();
  let follower: Follower | undefined;
  const messages = createOwedMessages(ports, layout, () => {
    const read = tasks.read();
    const blocked = read.ok ? read.list.tasks.filter(({ status }) => status === "blocked") : [];
    if (blocked.length === 0) return [];
    follower ??= follow();
    for (const event of follower.next()) if (event.kind === "task_blocked") last.set(event.task, event);
    return blocked.flatMap((task) => {
      const event = last.get(task.id);
      if (!event?.notice_owed || event.by !== task.assigned_to) return [];
      const { at, by, revision } = event;
      return {
        task,
        id: owedId(at, by, `r${revision}`),
        draft: { from: by, to: "lead", kind: "task_notice" as const, text: noticeText(task) },
      };
    });
  });
  return { untold: () => messages.missing().map(({ task }) => task.id), send: messages.send };
}

function noticeText({ id, title, blocked_reason, assigned_to }: Task): string {
  const reason = (blocked_reason ?? "no reason given").replace(/(?<![.?!])$/, ".");
  const text = `${id} (${title}) is blocked: ${reason} It is still assigned to ${assigned_to}.`;
  return text.slice(0, longestNotice).toWellFormed();
}

/** A reason may be long, and a message may not: the whole one is in the list. */
const longestNotice = 4_000;
