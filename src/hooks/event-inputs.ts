// The JSON object that a hook reads on standard input, by event.
import { z } from "zod";
import type { HookEvent } from "../settings/hook-settings.ts";
import { compactionTriggers, endReasons, notificationTypes, sources } from "./events.ts";

/** The fields of every event. */
const common = {
  session_id: z.string(),
  transcript_path: z.string(),
  cwd: z.string(),
  agent: z.string().describe("who acts: tool, lead, or a teammate's name"),
  team: z.string().nullable(),
  permission_mode: z.string(),
};

const tool = {
  tool_name: z.string(),
  tool_input: z
    .record(z.string(), z.unknown())
    .describe("as the tool will read it, and each argument that has another name in other products under that name too"),
  tool_use_id: z.string().nullable().describe("null when the person named a file with @"),
};

const task = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  status: z.string(),
  assigned_to: z.string().nullable(),
  dependencies: z.array(z.string()),
});

const subagent = { agent_id: z.string(), agent_name: z.string(), background: z.boolean() };

function event<Shape extends z.ZodRawShape>(name: HookEvent, shape: Shape) {
  return z.object({ hook_event_name: z.literal(name), ...common, ...shape });
}

export const eventInputs = {
  SessionStart: event("SessionStart", { source: z.enum(sources) }),
  UserPromptSubmit: event("UserPromptSubmit", { prompt: z.string() }),
  PreToolUse: event("PreToolUse", tool),
  PostToolUse: event("PostToolUse", { ...tool, tool_response: z.object({ text: z.string(), is_error: z.boolean() }) }),
  PermissionRequest: event("PermissionRequest", {
    tool_name: z.string(),
    parts: z.array(z.string()).describe("what is asked for: simple commands, or the file"),
    reason: z.string().describe("why it is asked"),
  }),
  Notification: event("Notification", { notification_type: z.enum(notificationTypes), message: z.string() }),
  SubagentStart: event("SubagentStart", { ...subagent, prompt: z.string() }),
  SubagentStop: event("SubagentStop", { ...subagent, status: z.string(), report: z.string() }),
  TaskCreated: event("TaskCreated", { task }),
  TaskCompleted: event("TaskCompleted", { task, summary: z.string().nullable() }),
  TeammateIdle: event("TeammateIdle", {}),
  PreCompact: event("PreCompact", { trigger: z.enum(compactionTriggers), focus: z.string().nullable() }),
  Stop: event("Stop", {
    stop_hook_active: z.boolean().describe("it goes on already because a hook has blocked"),
    last_message: z.string(),
  }),
  SessionEnd: event("SessionEnd", { reason: z.enum(endReasons) }),
} satisfies Record<HookEvent, z.ZodObject>;

/** The fields of an event beyond the common ones. */
export type EventInput<Event extends HookEvent> = Omit<z.infer<(typeof eventInputs)[Event]>, keyof typeof common | "hook_event_name">;

export type CommonInput = { [Key in keyof typeof common]: z.infer<(typeof common)[Key]> };
