// Files that a person names with an @ in what they type: read for the agent as if it had called Read itself, with the same rules, the same
// questions and without secrets. A folder is attached as the list of its files.
import { readArguments } from "../tools/arguments.ts";
import type { ToolResult } from "../tools/tool.ts";
import type { Agent } from "./agent.ts";
import type { Input } from "./events.ts";

/** What was typed, each line followed by the files that it names. What is no file is left as it was written. */
export async function withAttachments(agent: Agent, inputs: Input[], signal: AbortSignal): Promise<Input[]> {
  const all: Input[] = [];
  for (const input of inputs) {
    all.push(input);
    if (input.source.kind === "user") for (const path of mentions(input.text)) all.push(...(await attached(agent, path, signal)));
  }
  return all;
}

const mostMentions = 10;

/** Paths behind an @ that begins a word, without the punctuation of the sentence behind them. */
export function mentions(text: string): string[] {
  const found = [...text.matchAll(/(?:^|[\s("'`])@([^\s"'`]+)/g)].map(([, path = ""]) => path.replace(/[.,;:!?)\]}]+$/, ""));
  return [...new Set(found.filter(Boolean))].slice(0, mostMentions);
}

async function attached(agent: Agent, path: string, signal: AbortSignal): Promise<Input[]> {
  const file = await looked(agent, { name: "Read", raw: { path } }, signal);
  if (!file || file.summary === "not found") return [];
  const result = file.summary === "a folder" ? await looked(agent, { name: "Glob", raw: { pattern: "**", path } }, signal) : file;
  if (!result) return [];
  const shown = `  @${path}  ${result.summary}`;
  const text = result.isError
    ? `The person named @${path}, which could not be attached: ${result.text}`
    : `@${path}, attached by the person:\n${result.text}`;
  return [{ source: { kind: "file", path, ...(result.sources && { sources: result.sources }) }, text, shown }];
}

/** Undefined when the agent has no such tool. */
async function looked(agent: Agent, call: { name: string; raw: unknown }, signal: AbortSignal): Promise<ToolResult | undefined> {
  const tool = agent.tools.find(({ name }) => name === call.name);
  const read = tool && readArguments(tool, call.raw);
  if (!tool || !read?.ok) return undefined;
  const permission = await agent.permit({ tool: tool.name, input: read.input, obstacle: async () => undefined }, signal);
  if (!permission.allowed) return { text: permission.reason, isError: true, summary: "not allowed" };
  const result = await tool.run(read.input, { signal });
  return (await agent.screen?.result(result))?.result ?? result;
}
