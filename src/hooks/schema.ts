// The JSON Schemas of hook input and output, for `tool hooks schema`.
import { z } from "zod";
import { type HookEvent, hookEvents } from "../settings/hook-settings.ts";
import { eventInputs } from "./event-inputs.ts";
import { type EventRow, events } from "./events.ts";
import { hookOutput } from "./output.ts";

export type EventSchema = { event: HookEvent; when: string; matcher: string | null; blocks: string | null; input: unknown };

/** Draft 7. Without an event, the schemas of all events. */
export function hookSchema(event?: HookEvent): { events: EventSchema[]; output: unknown } {
  return { events: (event ? [event] : hookEvents).map(eventSchema), output: json(hookOutput) };
}

function eventSchema(event: HookEvent): EventSchema {
  const { when, matches, blocks }: EventRow = events[event];
  return { event, when, matcher: matches?.what ?? null, blocks: blocks ?? null, input: json(eventInputs[event]) };
}

const json = (schema: z.ZodType) => z.toJSONSchema(schema, { io: "input", target: "draft-7" });
