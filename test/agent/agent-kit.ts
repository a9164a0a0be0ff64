// An agent for tests: the test gives the model's outcomes, events and requests are recorded, and the clock never moves.
import { z } from "zod";
import type { Agent } from "../../src/agent/agent.ts";
import type { AgentEvent, Input, TranscriptEvent } from "../../src/agent/events.ts";
import type { AssistantMessage, Model, ModelOutcome, ModelReply, ModelRequest, Usage } from "../../src/agent/ports/model.ts";
import { toolSchemas } from "../../src/agent/requests/request.ts";
import { createHistory } from "../../src/agent/session/history.ts";
import { isKept } from "../../src/agent/session/transcript.ts";
import type { AnyTool, ToolResult } from "../../src/tools/tool.ts";

type Block = AssistantMessage["content"][number];
export const say = (text: string): Block => ({ type: "text", text });
export const call = (id: string, name: string, input: unknown = {}): Block => ({ type: "tool_use", id, name, input });
export const typed = (text: string): Input => ({ source: { kind: "user" }, text });
export const done = (text: string): ToolResult => ({ text, isError: false, summary: "" });

/** A tool that accepts any input. */
export function anyTool(name: string, run: (input: unknown) => Promise<ToolResult> | ToolResult): AnyTool {
  return { name, description: "", input: z.looseObject({}), readOnly: false, subject: () => "", run: async (input) => run(input) };
}

export function replied(content: Block[], { usage, stop_reason }: { usage?: Partial<Usage>; stop_reason?: string } = {}): ModelReply {
  return {
    kind: "reply",
    message: { role: "assistant", content },
    stop_reason: stop_reason ?? (content.some((block) => block.type === "tool_use") ? "tool_use" : "end_turn"),
    usage: { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, ...usage },
    model: "m",
  };
}

export const overflow: ModelOutcome = {
  kind: "fault",
  fault: { verdict: "overflow", reason: "Conversation too long for the model (400): prompt is too long." },
};

/** A model that gives these outcomes, one for each attempt, and records its requests. */
export function modelOf(outcomes: (ModelOutcome | ((request: ModelRequest) => ModelOutcome))[]): Model & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    requests,
    attempt: async (request) => {
      requests.push(structuredClone(request));
      const outcome = outcomes.shift() ?? { kind: "fault", fault: { verdict: "fatal", reason: "no more replies" } };
      return typeof outcome === "function" ? outcome(request) : outcome;
    },
  };
}

export type Kit = { agent: Agent; events: AgentEvent[]; kept: () => TranscriptEvent[]; queue: Input[] };

/** The texts in `queue` are taken with the next request. */
export function agentOf(model: Model, more: Partial<Agent> = {}): Kit {
  const events: AgentEvent[] = [];
  const queue: Input[] = [];
  const history = createHistory();
  const tools = more.tools ?? [];
  const agent: Agent = {
    name: "ada",
    filter: undefined,
    model,
    modelName: "m",
    maxTokens: 100,
    system: "You are ada, an agent.",
    tools,
    schemas: toolSchemas(tools),
    permit: async () => ({ allowed: true }),
    history,
    inbox: { take: () => queue.splice(0), recorded: () => {} },
    limits: {},
    clock: { now: () => new Date(0), monotonicMs: () => 0, sleep: async () => {}, random: () => 0 },
    costUsd: () => 1,
    spentUsd: () => 0,
    emit(event) {
      events.push(event);
      if (isKept(event)) history.apply(event);
    },
    ...more,
  };
  return { agent, events, kept: () => events.filter(isKept), queue };
}

/** The value without its cache marks: what the provider caches. */
export function unmarked<T>(value: T): T {
  return JSON.parse(JSON.stringify(value, (key, inner) => (key === "cache_control" ? undefined : inner)));
}
