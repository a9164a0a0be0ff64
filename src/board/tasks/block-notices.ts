// Tells the lead about every block by a member without a process of its own. The log, the list and the lead's mailbox show which blocks it was not
// told about, so a notice that was refused, or whose sender was killed, is sent once by the next process that looks.

import type { TeamEvent } from "../event.ts";
import type { TeamLayout } from "../layout.ts";
import type { Follower } from "../log.ts";
import { createOwedMessages, owedId } from "../messages/owed-messages.ts";
import { readableTasks } from "../readable.ts";
import type { Refusal } from "../refusal.ts";
import type { Task, TaskId } from "./task.ts";
import type { BoardPorts, TaskFile } from "./task-file.ts";

export interface BlockNotices {
  /** Blocked tasks that the lead was not told about. */
  untold(): TaskId[];
  /** Sends the missing notices. A refused notice stays missing and is sent later. */
  send(): Promise<Refusal | undefined>;
}

export type BlockNoticesSetup = { ports: BoardPorts; layout: TeamLayout; tasks: TaskFile; follow: () => Follower };

type Blocked = Extract<TeamEvent, { kind: "task_blocked" }>;

export function createBlockNotices({ ports, layout, tasks, follow }: BlockNoticesSetup): BlockNotices {
  const last = new Map<TaskId, Blocked>();
  let follower: Follower | undefined;
  const messages = createOwedMessages(ports, layout, () => {
    const blocked = readableTasks({ tasks }).filter(({ status }) => status === "blocked");
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

/** A reason may be longer than a message may be; the list has all of it. */
const longestNotice = 4_000;
