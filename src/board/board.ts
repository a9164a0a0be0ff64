// A team's shared truth, opened: its record, its task list, its mailboxes and its log, all below one folder.
import { basename } from "node:path";
import type { Holder } from "./disk.ts";
import type { TeamEvent } from "./event.ts";
import { type Gone, takeFromGone } from "./gone.ts";
import { type TeamLayout, teamLayout } from "./layout.ts";
import { appendEvent, type Follower, followLog } from "./log.ts";
import { type Mailbox, openMailbox, type Unreadable } from "./mailbox.ts";
import type { Refusal } from "./refusal.ts";
import { createSender, type Draft, type Sent } from "./sender.ts";
import type { Task } from "./task.ts";
import { type BoardPorts, openTaskFile, type TaskFile } from "./task-file.ts";
import { type RecordRead, readTeamRecord } from "./team-record.ts";

export interface Board {
  /** The team's name. */
  name: string;
  layout: TeamLayout;
  /** Read afresh each time: members join and end while a program runs. */
  record(): RecordRead;
  tasks: TaskFile;
  send(draft: Draft): Sent;
  /** Unreadable files are logged; `onUnreadable` hears of them as well. */
  mailbox(agent: string, onUnreadable?: (found: Unreadable) => void): Mailbox;
  /** Appends what has happened to a member. Throws what the disk throws. */
  log(event: TeamEvent): void;
  /** Follows the log from its start; only what is true by the task list's revision. */
  follow(): Follower;
  /** The live process that is this member; undefined when there is none. */
  holder(agent: string): Holder | undefined;
}

/** Opens the team in `folder`. Nothing is read or written yet. */
export function openBoard(ports: BoardPorts, folder: string): Board {
  const { disk, lock, clock } = ports;
  const layout = teamLayout(folder);
  const tasks = openTaskFile(ports, layout, basename(folder));
  const log = (event: TeamEvent) => appendEvent(disk, layout.log, event);
  return {
    name: basename(folder),
    layout,
    record: () => readTeamRecord(disk, layout.record),
    tasks,
    send: createSender(ports, layout),
    mailbox: (agent, onUnreadable = () => {}) =>
      openMailbox(disk, layout.mailbox(agent), (found) => {
        onUnreadable(found);
        try {
          log({ kind: "message_unreadable", by: agent, at: clock.now().toISOString(), ...found });
        } catch {
          // The file lies in bad/ and the caller knows: a log that cannot be written must not keep the readable mail back.
        }
      }),
    log,
    follow: () =>
      followLog(disk, layout.log, () => {
        const read = tasks.read();
        return read.ok ? read.list.revision : undefined;
      }),
    holder: (agent) => lock.holder(layout.claim(agent)),
  };
}

/**
 * Takes its work from a member that is gone: its task in progress becomes blocked with the reason, its open tasks lose their
 * assignee. Resolves with the tasks as they are now. Each is a change of its own; what is done stays done when a later one is refused.
 */
export async function takeAllFromGone(board: Board, gone: Gone): Promise<{ ok: true; tasks: Task[] } | Refusal> {
  const taken: Task[] = [];
  for (;;) {
    const change = await board.tasks.change((view) => takeFromGone({ ...view, teammates: [] }, gone));
    if (!change) return { ok: true, tasks: taken };
    if (!change.ok) return change;
    taken.push(change.task);
  }
}
