// The lead is told of every block by a member that has no process of its own to tell it. Which blocks it was not told of is read from the log, the
// list and its mailbox, so that a notice that was refused, or whose sender was killed, is sent by whoever looks next, once.
import type { TeamEvent } from "./event.ts";
import type { TeamLayout } from "./layout.ts";
import { locked } from "./locked.ts";
import type { Follower } from "./log.ts";
import type { Mailbox } from "./mailbox.ts";
import type { Refusal } from "./refusal.ts";
import { createSender } from "./sender.ts";
import type { Task, TaskId } from "./task.ts";
import type { BoardPorts, TaskFile } from "./task-file.ts";

export interface BlockNotices {
  /** Blocked tasks of which the lead does not know yet. */
  untold(): TaskId[];
  /** Sends what is missing. Refused, it is still missing. */
  send(): Promise<Refusal | undefined>;
}

export type BlockNoticesSetup = { ports: BoardPorts; layout: TeamLayout; tasks: TaskFile; follow: () => Follower; leadsMail: Mailbox };

type Blocked = Extract<TeamEvent, { kind: "task_blocked" }>;
type Notice = { id: string; from: string; task: Task };

export function createBlockNotices({ ports, layout, tasks, follow, leadsMail }: BlockNoticesSetup): BlockNotices {
  // A lead that waits for its disk would wait here, and a message that is only kept in memory is not sent.
  const impatient: BoardPorts = { disk: ports.patience?.now ?? ports.disk, lock: ports.lock, clock: ports.clock };
  const sender = createSender(impatient, layout);
  const last = new Map<TaskId, Blocked>();
  const delivered = new Set<string>();
  let follower: Follower | undefined;

  function missing(): Notice[] {
    const read = tasks.read();
    const blocked = read.ok ? read.list.tasks.filter(({ status }) => status === "blocked") : [];
    if (blocked.length === 0) return [];
    follower ??= follow();
    for (const event of follower.next()) if (event.kind === "task_blocked") last.set(event.task, event);
    return blocked.flatMap((task) => {
      const event = last.get(task.id);
      if (!event?.notice_owed || event.by !== task.assigned_to) return [];
      const id = noticeId(event);
      return isDelivered(id) ? [] : { id, from: event.by, task };
    });
  }

  function isDelivered(id: string): boolean {
    if (!delivered.has(id) && leadsMail.knows(id)) delivered.add(id);
    return delivered.has(id);
  }

  return {
    untold: () => missing().map(({ task }) => task.id),
    async send() {
      if (missing().length === 0) return undefined;
      // Under the lock, since two who send the same notice at once could show it twice: the lead may have read the first one meanwhile.
      const sent = await locked(impatient, { layout, what: `the mailbox ${layout.mailbox("lead")}` }, () => {
        for (const { id, from, task } of missing()) {
          const one = sender({ from, to: "lead", kind: "task_notice", text: noticeText(task) }, id);
          if (!one.ok) return one;
        }
        return undefined;
      });
      return sent;
    },
  };
}

/** One for each block, and the same for everybody who sends it. */
function noticeId({ at, by, revision }: Blocked): string {
  return `${String(Date.parse(at)).padStart(13, "0")}-${by}-r${revision}`;
}

function noticeText({ id, title, blocked_reason, assigned_to }: Task): string {
  const reason = (blocked_reason ?? "no reason given").replace(/(?<![.?!])$/, ".");
  const text = `${id} (${title}) is blocked: ${reason} It is still assigned to ${assigned_to}.`;
  return text.slice(0, longestNotice).toWellFormed();
}

/** A reason may be long, and a message may not: the whole one is in the list. */
const longestNotice = 4_000;
