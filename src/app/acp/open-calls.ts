// The tool calls of a session from the reply that asks for them to their end. Those of the todo list are shown as the plan.
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { z } from "zod";
import type { AgentEvent } from "../../agent/events.ts";
import { kindOf, placesBefore, resultOf, type ShownCall, titleOf } from "./calls.ts";

type EventOf<Type extends AgentEvent["type"]> = Extract<AgentEvent, { type: Type }>;

export interface OpenCalls {
  asked(event: EventOf<"reply">): void;
  started(event: EventOf<"tool_started">): SessionUpdate[];
  /** All of the call, if it was not shown before. */
  ended(event: EventOf<"tool_ended">): SessionUpdate[];
  /** Whether the call has begun and not ended. */
  isOpen(call: string): boolean;
  /** The newest open call of this tool. */
  openCallOf(tool: string): string | undefined;
  /** Calls that will not end any more: the run was interrupted. */
  abandoned(): SessionUpdate[];
}

export function createCalls(cwd: string): OpenCalls {
  /** What the model has asked for, until its call ends. */
  const inputs = new Map<string, unknown>();
  const open = new Map<string, string>();
  const begun = (call: ShownCall) => {
    const { name, input } = call;
    const locations = placesBefore(call, cwd);
    return { name, kind: kindOf(name), ...(input !== undefined && { rawInput: input }), ...(locations.length > 0 && { locations }) };
  };
  return {
    asked({ message }) {
      for (const block of message.content) if (block.type === "tool_use") inputs.set(block.id, block.input);
    },
    started({ id, name, subject }) {
      if (name === planTool) return [];
      const call = { name, subject, input: inputs.get(id) };
      open.set(id, name);
      return [{ sessionUpdate: "tool_call", toolCallId: id, title: titleOf(call, cwd), ...begun(call), status: "in_progress" }];
    },
    ended(event) {
      const { id, name, subject, isError } = event;
      const call = { name, subject, input: inputs.get(id) };
      const wasOpen = open.delete(id);
      inputs.delete(id);
      if (name === planTool) return isError ? [] : planOf(call.input);
      const status = isError ? ("failed" as const) : ("completed" as const);
      const result = { toolCallId: id, title: titleOf(call, cwd), status, ...resultOf(event, call.input, cwd) };
      return [wasOpen ? { sessionUpdate: "tool_call_update", ...result } : { sessionUpdate: "tool_call", ...begun(call), ...result }];
    },
    isOpen: (call) => open.has(call),
    openCallOf: (tool) => [...open].findLast(([, name]) => name === tool)?.[0],
    abandoned() {
      const left = [...open.keys()];
      open.clear();
      return left.map((toolCallId) => ({ sessionUpdate: "tool_call_update", toolCallId, status: "failed" }));
    },
  };
}

const planTool = "TodoWrite";

const todos = z.object({ todos: z.array(z.object({ content: z.string(), status: z.enum(["pending", "in_progress", "completed"]) })) });

function planOf(input: unknown): SessionUpdate[] {
  const read = todos.safeParse(input);
  if (!read.success) return [];
  return [{ sessionUpdate: "plan", entries: read.data.todos.map((entry) => ({ ...entry, priority: "medium" })) }];
}
