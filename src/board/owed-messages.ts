// Messages that follow from the list and that whoever looks next sends, once: what a refused disk or a kill kept from being sent is still owed.
import type { TeamLayout } from "./layout.ts";
import { locked } from "./locked.ts";
import { openMailbox } from "./mailbox.ts";
import type { Refusal } from "./refusal.ts";
import { createSender, type Draft } from "./sender.ts";
import type { BoardPorts } from "./task-file.ts";

/** `id`: the same for everybody who sends it. */
export type Owed = { id: string; draft: Draft };

export interface OwedMessages<Message extends Owed> {
  missing(): Message[];
  /** Sends what is missing. Refused, it is still missing. */
  send(): Promise<Refusal | undefined>;
}

/** `owed`: everything that follows from the list now, sent or not. */
export function createOwedMessages<Message extends Owed>(
  ports: BoardPorts,
  layout: TeamLayout,
  owed: () => Message[],
): OwedMessages<Message> {
  // A lead that waits for its disk would wait here, and a message that is only kept in memory is not sent.
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
      // Under the lock, since two who send the same message at once could show it twice: it may have been read meanwhile.
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

/** Sorts by the time at which it was owed first. */
export function owedId(at: string, from: string, what: string): string {
  return `${String(Date.parse(at)).padStart(13, "0")}-${from}-${what}`;
}
