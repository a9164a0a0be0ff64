// A team's shared state, opened: its record, task list, mailboxes and log, all in one folder.
import { basename } from "node:path";
import type { Holder } from "./disk.ts";
import type { TeamEvent } from "./event.ts";
import { type TeamLayout, teamLayout } from "./layout.ts";
import { appendEvent, type Follower, followLog } from "./log.ts";
import { type Mailbox, openMailbox, type Unreadable } from "./messages/mailbox.ts";
import type { Owed, OwedMessages } from "./messages/owed-messages.ts";
import { createSender, type Draft, type Sent } from "./messages/sender.ts";
import { type BlockNotices, createBlockNotices } from "./tasks/block-notices.ts";
import { createOverlapNotices } from "./tasks/overlap-notices.ts";
import { type BoardPorts, openTaskFile, type TaskFile } from "./tasks/task-file.ts";
import { changeTeamRecord, type RecordRead, readTeamRecord, type TeamRecord } from "./team-record.ts";

export interface Board {
  name: string;
  layout: TeamLayout;
  /** Reads the record each time, because members join and end while a program runs. */
  record(): RecordRead;
  /** The only way to change the record. A change that returns its input writes nothing. */
  changeRecord(change: (record: TeamRecord) => TeamRecord): ReturnType<typeof changeTeamRecord>;
  tasks: TaskFile;
  send(draft: Draft): Sent;
  /** Unreadable files are logged and reported to `onUnreadable`. */
  mailbox(agent: string, onUnreadable?: (found: Unreadable) => void): Mailbox;
  /** Messages to the lead about tasks that members without a process have blocked. */
  blockNotices: BlockNotices;
  /** Messages to owners and lead about tasks in progress that share files. */
  overlapNotices: Pick<OwedMessages<Owed>, "send">;
  /** Appends a member's event. Throws what the disk throws. */
  log(event: TeamEvent): void;
  /** Follows the log from its start, limited to events that the task list's revision confirms. */
  follow(): Follower;
  /** The live process of this member; undefined if there is none. */
  holder(agent: string): Holder | undefined;
}

/** Opens the team in `folder` without reading or writing anything. */
export function openBoard(ports: BoardPorts, folder: string): Board {
  const { disk, lock, clock } = ports;
  const layout = teamLayout(folder);
  const tasks = openTaskFile(ports, layout, basename(folder));
  const log = (event: TeamEvent) => appendEvent(disk, layout.log, event);
  const follow = () =>
    followLog(disk, layout.log, () => {
      const read = tasks.read();
      return read.ok ? read.list.revision : undefined;
    });
  return {
    name: basename(folder),
    layout,
    record: () => readTeamRecord(disk, layout.record),
    changeRecord: (change) => changeTeamRecord(ports, layout, change),
    tasks,
    send: createSender(ports, layout),
    mailbox: (agent, onUnreadable = () => {}) =>
      openMailbox(disk, layout.mailbox(agent), (found) => {
        onUnreadable(found);
        try {
          log({ kind: "message_unreadable", by: agent, at: clock.now().toISOString(), ...found });
        } catch {
          // The file is in bad/ and the caller knows about it. A log that cannot be written must not hold back readable messages.
        }
      }),
    log,
    follow,
    blockNotices: createBlockNotices({ ports, layout, tasks, follow }),
    overlapNotices: createOverlapNotices(ports, layout, tasks),
    holder: (agent) => lock.holder(layout.claim(agent)),
  };
}
