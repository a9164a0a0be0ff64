// The thoughts of a reply as a person reads them.
import type { AgentEvent } from "../agent/events.ts";

/** Empty if the provider shows none of them. */
export function thoughtsOf({ message }: Extract<AgentEvent, { type: "reply" }>): string {
  return message.content
    .flatMap((block) => (block.type === "thinking" && block.thinking.trim() !== "" ? block.thinking.trim() : []))
    .join("\n\n");
}
