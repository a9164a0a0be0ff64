// Messages that follow from the state of the task list. Each is sent once, by the next process that looks, so a message that a disk error or a kill
// prevented is still sent.
import type { TeamLayout } from "../layout.ts";
import { locked } from "../locked.ts";
import type { Refusal } from "../refusal.ts";
import type { BoardPorts } from "../tasks/task-file.ts";
import { openMailbox } from "./mailbox.ts";
import { createSender, type Draft } from "./sender.ts";

/** `id`: the same in every process that sends the message. */
export type Owed = { id: string; draft: Draft };

export interface OwedMessages<Message extends Owed> {
  missing(): Message[];
  /** Sends the missing messages. A refused one stays missing and is sent later. */
  send(): Promise<Refusal | undefined>;
}

/** `owed`: all messages that follow from the list at present, sent or not. */
export function createOwedMessages<Message extends Owed>(
  ports: BoardPorts,
  layout: TeamLayout,
  owed: () => Message[],
): OwedMessages<Message> {
  // A lead with a queueing disk would wait here, and a message that exists only in its queue is not sent.
  const impatient: BoardPorts = { disk: ports.patience?.now ?? ports.disk, lock: ports.lock, clock: ports.clock };
  const sender = createSender(impatient, layout);
  const delivered = new Set<string>();
  const isDelivered = ({ id, draft: { to } }: Owed) => {
    const key = `${to} ${id}`;
    if (!delivered.has(key) && openMailbox(ports.disk, layout.mailbox(to), () => {}).knows(id)) delivered.add(key);
    return delivered.has(key);
  };
  const missing = () => owed().filter((message) => !isDelivered(message));
  return {
    missing,
    async send() {
      if (missing().length === 0) return undefined;
      // Under the lock: the message may have been read since, so two processes that send it at once could show it twice.
      return locked(impatient, { layout, what: `the mailboxes of ${layout.record}` }, () => {
        for (const { id, draft } of missing()) {
          const one = sender(draft, id);
          if (!one.ok) return one;
        }
        return undefined;
      });
    },
  };
}

/** Sorts by the time at which the message was first owed. */
export function owedId(at: string, from: string, what: string): string {
  return `${String(Date.parse(at)).padStart(13, "0")}-${from}-${what}`;
}
