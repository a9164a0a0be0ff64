// Sends a message: a file is written in tmp/, fsynced, and linked into the receiver's new/. The message counts as sent when that link is durable, not
// before.

import { faultSentence } from "../../wording/error-text.ts";
import { isBlank } from "../blank.ts";
import { chance } from "../chance.ts";
import type { TeamLayout } from "../layout.ts";
import { appendEvent } from "../log.ts";
import { type Refusal, refuse } from "../refusal.ts";
import type { BoardPorts } from "../tasks/task-file.ts";
import { fileName, makeMailbox, sentSince } from "./mailbox.ts";
import { type Message, maxMessageBytes, mostSent } from "./message.ts";

export type Draft = Pick<Message, "from" | "to" | "kind" | "text"> & { reply_to?: string };
export type Sent = { ok: true; message: Message } | Refusal;

/**
 * The caller checks who may write to whom; `to` must name a member. `id`: for a message that several processes may send; an existing one with that id
 * is not replaced.
 */
export function createSender(ports: BoardPorts, layout: TeamLayout): (draft: Draft, id?: string) => Sent {
  const nextId = idMaker(ports.clock);
  return (draft, id) => {
    const refusal = textRefusal(draft);
    if (refusal) return refusal;
    try {
      const flooded = floodRefusal(ports, layout, draft);
      if (flooded) return flooded;
      const message = publish({ ports, mailbox: layout.mailbox(draft.to) }, id, (own) => ({
        id: own ?? nextId(draft.from),
        ...draft,
        sent_at: ports.clock.now().toISOString(),
      }));
      logSent(ports, layout, message);
      return { ok: true, message };
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
      return refuse("write_failed", `Cannot send to ${draft.to}: ${faultSentence(error, "Nothing was sent")}`);
    }
  };
}

function textRefusal({ to, text }: Draft): Refusal | undefined {
  if (isBlank(text)) return refuse("bad_text", `Cannot send to ${to}: the text is blank`);
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxMessageBytes) return undefined;
  return refuse(
    "too_large",
    `Cannot send to ${to}: the text has ${bytes} bytes, and a message has at most ${maxMessageBytes}. Write it to a file and send its path`,
  );
}

/** Counted in the receiver's mailbox, so that it holds for all processes that send for this member. What the harness and the person send arrives. */
function floodRefusal({ disk, clock }: BoardPorts, layout: TeamLayout, { from, to, kind }: Draft): Refusal | undefined {
  if (kind !== "message" || from === "lead" || from === "user") return undefined;
  const sent = sentSince(disk, layout.mailbox(to), { from, sinceMs: clock.now().getTime() - mostSent.withinMs });
  if (sent.messages < mostSent.messages && sent.bytes < mostSent.bytes) return undefined;
  const amount = `${sent.messages} messages with ${Math.ceil(sent.bytes / 1024)} KB`;
  return refuse(
    "too_many",
    `Cannot send to ${to}: you have sent it ${amount} in the last ${mostSent.withinMs / 60_000} minutes, and nobody may send more. Write what is long to a file, and send its path later`,
  );
}

/** With an id, an existing file is kept. Without one, names are tried until one is free. */
function publish({ ports: { disk }, mailbox }: Place, id: string | undefined, draw: (id: string | undefined) => Message): Message {
  for (;;) {
    const message = draw(id);
    const file = fileName(message.id);
    const put = () => disk.publish(`${mailbox}/tmp/${file}`, `${mailbox}/new/${file}`, `${JSON.stringify(message, null, 2)}\n`);
    const isNew = makingFolders(put, () => makeMailbox(disk, mailbox));
    if (isNew || id !== undefined) return message;
  }
}

type Place = { ports: BoardPorts; mailbox: string };

/** Creates the member's mailbox with its first message if it does not exist. */
function makingFolders<T>(act: () => T, make: () => void): T {
  try {
    return act();
  } catch (error) {
    if ((error as { code?: string }).code !== "ENOENT") throw error;
    make();
    return act();
  }
}

function logSent({ disk }: BoardPorts, layout: TeamLayout, { id, from, to, kind, text, sent_at }: Message): void {
  try {
    appendEvent(disk, layout.log, { kind: "message_sent", by: from, at: sent_at, message: id, mail: kind, to, text });
  } catch {
    // The message is durable: its sender must not repeat it because the log could not be written.
  }
}

/**
 * Ids sort by time, then sender, then count. The random part separates processes that send for one agent in the same millisecond. Within a process
 * the time never decreases.
 */
function idMaker(clock: BoardPorts["clock"]): (from: string) => string {
  let lastMs = 0;
  let count = 0;
  return (from) => {
    const ms = Math.max(lastMs, clock.now().getTime());
    count = ms === lastMs ? count + 1 : 0;
    lastMs = ms;
    return `${String(ms).padStart(13, "0")}-${from}-${String(count).padStart(4, "0")}-${chance(clock, 6)}`;
  };
}
