// An event of the agent as a line of `--output-format stream-json`.
import type { Printable } from "../../agent/events.ts";
import { snakeCased } from "./snake-case.ts";
import type { StreamLine } from "./stream-schema.ts";

/** Compiles only while the schema of the stream and the events agree. */
export function streamLine(event: Printable): StreamLine {
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
