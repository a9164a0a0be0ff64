// Builds one request from the agent's current state. Tools, system prompt and messages have a stable order, so that each request extends the previous
// one.
import { inputSchema } from "../../tools/input-schema.ts";
import type { AnyTool } from "../../tools/tool.ts";
import type { Agent } from "../agent.ts";
import type { ModelRequest, ToolSchema } from "../ports/model.ts";
import type { History } from "../session/history.ts";
import { withCacheMarks } from "./cache-marks.ts";
import { answeringModel } from "./fallback.ts";
import { mostOutput } from "./prices.ts";
import { thinkingOf, tokensForThought } from "./thinking.ts";

export function buildRequest(
  agent: Pick<Agent, "modelName" | "fallback" | "maxTokens" | "system" | "schemas" | "effort"> & { history: Pick<History, "messages"> },
): ModelRequest {
  const { maxTokens, system, schemas, effort } = agent;
  const model = answeringModel(agent);
  const messages = agent.history.messages();
  const thinking = thinkingOf(model, effort, messages);
  return withCacheMarks({
    model,
    max_tokens: Math.min(maxTokens + tokensForThought(thinking), mostOutput(model) ?? maxTokens),
    system: [{ type: "text", text: system }],
    tools: schemas,
    messages,
    ...thinking,
  });
}

/** After a reply that was cut: twice as much, as far as the model goes; as before where that is not known. */
export function raisedLimit(agent: Pick<Agent, "modelName" | "fallback" | "maxTokens">): number {
  const { maxTokens } = agent;
  return Math.max(maxTokens, Math.min(2 * maxTokens, mostOutput(answeringModel(agent)) ?? maxTokens));
}

/** The tools in the provider's format. Computed once for each agent. */
/** `known`: an agent that has tools with the same inputs, whose schemas then need not be made again. */
export function toolSchemas(tools: AnyTool[], known?: Pick<Agent, "tools" | "schemas">): ToolSchema[] {
  const made = new Map(known?.tools.map(({ input }, index) => [input, known.schemas[index]?.input_schema]));
  return tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    input_schema: tool.schema ?? made.get(tool.input) ?? inputSchema(tool),
  }));
}
