// An event of the agent as a line of `--output-format stream-json`.
import type { AgentEvent } from "../agent/events.ts";
import { snakeCased } from "./snake-case.ts";
import type { StreamLine } from "./stream-schema.ts";

/** Compiles only while the schema of the stream and the events say the same. */
export function streamLine(event: AgentEvent): StreamLine {
  if (event.type !== "session") return snakeCased(event);
  const { session, ...rest } = event;
  return { ...rest, session_id: session };
}
