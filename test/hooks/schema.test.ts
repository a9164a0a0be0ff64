import { expect, it } from "vitest";
import { events } from "../../src/hooks/events.ts";
import { hookSchema } from "../../src/hooks/schema.ts";
import { hookEvents } from "../../src/settings/hook-settings.ts";

type JsonSchema = { properties: Record<string, unknown>; required: string[] };

it("describes every event, and every field that its hooks read", () => {
  const { events: all } = hookSchema();
  expect(all.map(({ event }) => event)).toEqual([...hookEvents]);
  for (const { event, input } of all) {
    const { properties, required } = input as JsonSchema;
    expect(properties["hook_event_name"]).toMatchObject({ const: event });
    expect(required).toEqual(expect.arrayContaining(["session_id", "transcript_path", "cwd", "agent", "team", "permission_mode"]));
  }
});

it("describes one event, with what a matcher is compared with and what a block does", () => {
  const { events: rows, output } = hookSchema("SessionStart");
  expect(rows).toMatchObject([{ event: "SessionStart", when: events.SessionStart.when, matcher: "the source", blocks: null }]);
  expect((rows[0]!.input as JsonSchema).properties["source"]).toMatchObject({ enum: ["startup", "resume", "clear"] });
  expect(Object.keys((output as JsonSchema).properties)).toEqual([
    "decision",
    "reason",
    "updated_input",
    "additional_context",
    "continue",
    "stop_reason",
    "system_message",
    "suppress_output",
  ]);
});
