// Which mail starts a turn.
import type { Message } from "../board/messages/message.ts";

/** Messages and task notices ask for a turn; reports and notices are read with the next request, whenever that is. */
export function wakes({ kind }: Pick<Message, "kind">): boolean {
  return kind === "message" || kind === "task_notice";
}
