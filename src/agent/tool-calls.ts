// The tool calls of one reply. Every call gets a result, also when it was denied, interrupted or crashed.

import { readArguments } from "../tools/arguments.ts";
import type { AnyTool, DeniedOnTheWay, ToolContext, ToolResult } from "../tools/tool.ts";
import type { Agent } from "./agent.ts";
import type { ToolUseBlock } from "./model.ts";
import { interruptedResult, notRunResult } from "./prompt.ts";
import { withinBudget } from "./result-budget.ts";
import { suspensionOf } from "./suspension.ts";

/** Runs them in the order of the reply; neighbours that change nothing run side by side. */
export async function runToolCalls(agent: Agent, calls: ToolUseBlock[], signal: AbortSignal): Promise<void> {
  for (const group of groups(agent.tools, calls)) {
    await Promise.all(group.map((call) => runToolCall(agent, call, signal)));
  }
}

/** Calls that a former process began and did not end: told as such, never repeated. `notBegun`: those that are none of these. */
export function settleInterrupted(agent: Agent, notBegun: readonly string[] = []): void {
  for (const call of agent.history.pendingCalls().filter(({ id }) => !notBegun.includes(id))) {
    emitEnded(agent, call, {
      subject: subjectOf(agent, call),
      ms: 0,
      result: { text: interruptedResult, isError: true, summary: "interrupted" },
    });
  }
}

async function runToolCall(agent: Agent, call: ToolUseBlock, signal: AbortSignal): Promise<void> {
  const tool = agent.tools.find((candidate) => candidate.name === call.name);
  const subject = subjectOf(agent, call);
  let startedMs = agent.clock.monotonicMs();
  agent.emit({ type: "tool_started", id: call.id, name: call.name, subject, at: agent.clock.now().toISOString() });
  const unseen = await outcome();
  if (!unseen) return; // not begun when the run was suspended
  const screened = (await agent.screen?.result(unseen)) ?? { result: unseen, notices: [] };
  for (const denied of unseen.denied ?? []) emitDenied(agent, call.id, denied);
  // What is too long for the window is kept on disk: it too without secrets.
  const result = withinBudget(screened.result, agent.outputs);
  const ms = agent.clock.monotonicMs() - startedMs - (unseen.askedMs ?? 0);
  emitEnded(agent, call, { subject, ms: Math.max(0, ms), result });
  for (const text of screened.notices) agent.emit({ type: "notice", level: "warning", text, at: agent.clock.now().toISOString() });

  async function outcome(): Promise<ToolResult | undefined> {
    if (suspensionOf(signal)) return undefined;
    if (signal.aborted) return failure(notRunResult, "not run");
    if (!tool)
      return failure(`There is no tool "${call.name}". The tools are: ${agent.tools.map(({ name }) => name).join(", ")}.`, "unknown tool");
    const read = readArguments(tool, call.input);
    if (!read.ok) return failure(`${tool.name} cannot take this input: ${read.reason}. Nothing was run.`, "bad input");
    const { input } = read;
    const obstacle = () => tool.obstacle?.(input) ?? Promise.resolve(undefined);
    const permission = await agent.permit({ tool: tool.name, input, obstacle }, signal);
    startedMs = agent.clock.monotonicMs(); // what a person thought about it is not its time
    if (suspensionOf(signal)) return undefined;
    if (!permission.allowed) {
      const { reason } = permission;
      if (permission.obstacle) return permission.obstacle;
      emitDenied(agent, call.id, { tool: call.name, subject, reason });
      return failure(`Permission denied: ${reason}`, "denied");
    }
    const screened = (await agent.screen?.call({ tool: tool.name, input }, signal)) ?? { ok: true, input };
    const onOutput = (text: string) => agent.emit({ type: "tool_output", id: call.id, text });
    return screened.ok ? guarded(tool, screened.input, { signal, call: call.id, onOutput }) : failure(screened.reason, "refused");
  }
}

function subjectOf({ tools }: Agent, { name, input }: ToolUseBlock): string {
  const tool = tools.find((candidate) => candidate.name === name);
  const read = tool && readArguments(tool, input);
  return tool && read?.ok ? tool.subject(read.input) : "";
}

/** The door of a tool call: what a tool throws becomes its result. */
async function guarded(tool: AnyTool, input: unknown, context: ToolContext): Promise<ToolResult> {
  try {
    return await tool.run(input, context);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return failure(`${tool.name} failed: ${message}`, "failed");
  }
}

function emitDenied(agent: Agent, id: string, { tool, subject, reason }: DeniedOnTheWay): void {
  agent.emit({ type: "denied", id, name: tool, subject, reason, at: agent.clock.now().toISOString() });
}

function emitEnded(agent: Agent, call: ToolUseBlock, { subject, ms, result }: { subject: string; ms: number; result: ToolResult }): void {
  const { text, isError, summary, touched = [], detail, sources } = result;
  agent.emit({
    type: "tool_ended",
    id: call.id,
    name: call.name,
    subject,
    text,
    isError,
    summary,
    touched,
    ...(detail !== undefined && { detail }),
    ...(sources && { sources }),
    ms,
    at: agent.clock.now().toISOString(),
  });
}

function groups(tools: AnyTool[], calls: ToolUseBlock[]): ToolUseBlock[][] {
  const sideBySide = (call: ToolUseBlock) => {
    const tool = tools.find(({ name }) => name === call.name);
    return tool !== undefined && (tool.readOnly || tool.sideBySide === true);
  };
  const result: ToolUseBlock[][] = [];
  for (const call of calls) {
    const last = result.at(-1);
    if (last?.[0] && sideBySide(last[0]) && sideBySide(call)) last.push(call);
    else result.push([call]);
  }
  return result;
}

function failure(text: string, summary: string): ToolResult {
  return { text, isError: true, summary };
}
