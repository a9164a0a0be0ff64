// Names the process that holds what another one wants, such as a session or a member's name.
import type { Holder } from "../board/disk.ts";

export function holderWords(holder: Holder): string {
  return holder.kind === "alive" ? `process ${holder.pid}` : `a process on ${holder.where}`;
}
