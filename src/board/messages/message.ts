// A message between agents: one file in the receiver's mailbox.
import { z } from "zod";
import { withoutTag } from "../../wording/others-words.ts";

export const messageKinds = ["message", "turn_report", "task_notice", "shutdown", "shutdown_answer", "interrupt", "notice"] as const;

export const messageSchema = z.looseObject({
  id: z.string().min(1),
  from: z.string().min(1),
  to: z.string().min(1),
  kind: z.enum(messageKinds),
  text: z.string(),
  /** ISO 8601, UTC. */
  sent_at: z.string(),
  reply_to: z.string().optional(),
});
export type Message = z.infer<typeof messageSchema>;

/** A longer text must be sent as a file. */
export const maxMessageBytes = 32 * 1024;

/** What a teammate may send to one member within `withinMs`: whoever reads it pays for it, with each of its later requests. */
export const mostSent = { messages: 100, bytes: 512 * 1024, withinMs: 10 * 60_000 };

/** The message as a model reads it. It always names its sender, so it cannot pass for the user's own words. */
export function showToModel(message: Message): string {
  const question = message.kind === "message" ? "" : ` kind="${message.kind}"`;
  return `<message from="${message.from}"${question}>\n${withoutTag(message.text)}\n</message>`;
}
