// A team's shared truth, opened: its record, its task list, its mailboxes and its log, all below one folder.
import { basename } from "node:path";
import { type BlockNotices, createBlockNotices } from "./block-notices.ts";
import type { Holder } from "./disk.ts";
import type { TeamEvent } from "./event.ts";
import { type TeamLayout, teamLayout } from "./layout.ts";
import { appendEvent, type Follower, followLog } from "./log.ts";
import { type Mailbox, openMailbox, type Unreadable } from "./mailbox.ts";
import { createOverlapNotices } from "./overlap-notices.ts";
import type { Owed, OwedMessages } from "./owed-messages.ts";
import { createSender, type Draft, type Sent } from "./sender.ts";
import { type BoardPorts, openTaskFile, type TaskFile } from "./task-file.ts";
import { changeTeamRecord, type RecordRead, readTeamRecord, type TeamRecord } from "./team-record.ts";

export interface Board {
  /** The team's name. */
  name: string;
  layout: TeamLayout;
  /** Read afresh each time: members join and end while a program runs. */
  record(): RecordRead;
  /** The one way to change the record. A change that returns what it was given writes nothing. */
  changeRecord(change: (record: TeamRecord) => TeamRecord): ReturnType<typeof changeTeamRecord>;
  tasks: TaskFile;
  send(draft: Draft): Sent;
  /** Unreadable files are logged; `onUnreadable` hears about them as well. */
  mailbox(agent: string, onUnreadable?: (found: Unreadable) => void): Mailbox;
  /** What the lead must hear of tasks that members without a process have blocked. */
  blockNotices: BlockNotices;
  /** What owners and lead must hear of tasks in progress that have files in common. */
  overlapNotices: Pick<OwedMessages<Owed>, "send">;
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
          // The file lies in bad/ and the caller knows: a log that cannot be written must not keep the readable mail back.
        }
      }),
    log,
    follow,
    blockNotices: createBlockNotices({ ports, layout, tasks, follow }),
    overlapNotices: createOverlapNotices(ports, layout, tasks),
    holder: (agent) => lock.holder(layout.claim(agent)),
  };
}
