// The thoughts of a reply as text for a person.
import type { AgentEvent } from "../../agent/events.ts";

/** Empty if the provider shows none. */
export function thoughtsOf({ message }: Extract<AgentEvent, { type: "reply" }>): string {
  return message.content
    .flatMap((block) => (block.type === "thinking" && block.thinking.trim() !== "" ? block.thinking.trim() : []))
    .join("\n\n");
}
