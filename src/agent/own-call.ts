// A tool call that the harness makes for the agent: under its rules and without secrets, like a call of the model's, and no part of the conversation.
import { readArguments } from "../tools/arguments.ts";
import type { DeniedOnTheWay, ToolResult } from "../tools/tool.ts";
import type { Agent } from "./agent.ts";
import { shownInput } from "./tool-calls.ts";

/** `onOutput`: gets the end of the latest output, with the secrets in it. */
export type OwnCall = { name: string; raw: unknown; signal: AbortSignal; onOutput?: (text: string) => void };

/** Undefined if the agent has no such tool. A denied call has the summary "not allowed" and is in `denied`. */
export async function ownCall(agent: Agent, { name, raw, signal, onOutput }: OwnCall): Promise<ToolResult | undefined> {
  const tool = agent.tools.find((candidate) => candidate.name === name);
  const read = tool && readArguments(tool, raw);
  if (!tool || !read?.ok) return undefined;
  const asked = agent.clock.monotonicMs();
  const permission = await agent.permit(
    { tool: name, input: read.input, shown: (cwd) => shownInput(tool, read.input, cwd), obstacle: async () => undefined },
    signal,
  );
  const askedMs = agent.clock.monotonicMs() - asked;
  const refused = (reason: string, rules: readonly string[] = []): ToolResult => {
    const denied: DeniedOnTheWay[] = [
      { tool: name, subject: tool.subject(read.input), reason, ...(rules.length > 0 && { rules: [...rules] }) },
    ];
    return { text: reason, isError: true, summary: "not allowed", denied, askedMs };
  };
  if (!permission.allowed) return refused(permission.reason, permission.missing);
  const screened = (await agent.filter?.call({ tool: name, input: read.input }, signal)) ?? { ok: true, input: read.input };
  if (!screened.ok) return refused(screened.reason);
  const result = await tool.run(screened.input, { signal, ...(onOutput && { onOutput }) });
  const clean = (await agent.filter?.result(result))?.result ?? result;
  return { ...clean, askedMs: askedMs + (clean.askedMs ?? 0) };
}
