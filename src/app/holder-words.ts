// Who has what somebody else wants to take: a session, a member's name.
import type { Holder } from "../board/disk.ts";

export function holderWords(holder: Holder): string {
  return holder.kind === "alive" ? `process ${holder.pid}` : `a process on ${holder.where}`;
}
