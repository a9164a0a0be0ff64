// An event of the agent as a line of `--output-format stream-json`.
import type { AgentEvent } from "../../agent/events.ts";
import { snakeCased } from "./snake-case.ts";
import type { StreamLine } from "./stream-schema.ts";

/** What is printed. Live output and thoughts may contain secrets, so they are printed complete at the end of their call or reply. */
export type Streamed = Exclude<AgentEvent, { type: "tool_output" | "thought" }>;

/** Compiles only while the schema of the stream and the events agree. */
export function streamLine(event: Streamed): StreamLine {
  if (event.type === "session") {
    const { session, ...rest } = event;
    return { ...rest, session_id: session };
  }
  if (event.type === "input") return snakeCased({ ...event, inputs: event.inputs.map(withoutMedia) });
  return snakeCased(event.type === "tool_ended" ? withoutMedia(event) : event);
}

/** Omits media, which may have megabytes; a reader of the stream finds it in the file. */
function withoutMedia<T extends { media?: unknown }>(event: T): Omit<T, "media"> {
  const { media: _media, ...rest } = event;
  return rest;
}
