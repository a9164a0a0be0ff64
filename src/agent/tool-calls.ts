// The tool calls of one reply. Every call gets a result, also when it was denied, interrupted or crashed.

import { underAllNames, underOurNames } from "../tools/argument-names.ts";
import { type ReadArguments, readArguments } from "../tools/arguments.ts";
import type { AnyTool, DeniedOnTheWay, ToolContext, ToolResult } from "../tools/tool.ts";
import { diskErrorWords, errorCode, errorText, faultSentence } from "../wording/error-text.ts";
import { isRecord } from "../wording/is-record.ts";
import type { Agent } from "./agent.ts";
import type { ToolUseBlock } from "./ports/model.ts";
import type { Permission, ToolCall } from "./ports/permit.ts";
import { changedInput, interruptedResult, notRunResult } from "./prompt.ts";
import { withinBudget } from "./result/result-budget.ts";
import { suspensionOf } from "./session/suspension.ts";

/** Runs them in the order of the reply, after those of tools that go first; adjacent calls that change nothing run in parallel. */
export async function runToolCalls(agent: Agent, calls: ToolUseBlock[], signal: AbortSignal): Promise<void> {
  const first = new Set(agent.tools.filter(({ goesFirst }) => goesFirst).map(({ name }) => name));
  const ordered = [...calls.filter(({ name }) => first.has(name)), ...calls.filter(({ name }) => !first.has(name))];
  for (const group of groups(agent.tools, ordered)) {
    await Promise.all(group.map((call) => runToolCall(agent, call, signal)));
  }
}

/** Calls that an earlier process began but did not end: reported as interrupted, never repeated. `notBegun`: calls that are not among them. */
export function settleInterrupted(agent: Agent, notBegun: readonly string[] = []): void {
  for (const call of agent.history.pendingCalls().filter(({ id }) => !notBegun.includes(id))) {
    emitEnded(agent, call, {
      subject: subjectOf(agent, call),
      ms: 0,
      result: { text: interruptedResult, isError: true, summary: "interrupted" },
    });
  }
}

async function runToolCall(agent: Agent, written: ToolUseBlock, signal: AbortSignal): Promise<void> {
  const { tool, read } = meantCall(agent, written);
  const call = { ...written, name: tool?.name ?? written.name };
  const clean = async (text: string) => (await agent.filter?.text(text)) ?? text;
  let subject = await clean(tool && read?.ok ? tool.subject(read.input) : "");
  let startedMs = agent.clock.monotonicMs();
  let ran: { tool: AnyTool; input: unknown; changed: boolean } | undefined;
  const said = tool && read?.ok ? tool.purpose?.(read.input) : undefined;
  const purpose = said === undefined ? {} : { purpose: await clean(said) };
  agent.emit({ type: "tool_started", id: call.id, name: call.name, subject, ...purpose, at: agent.clock.now().toISOString() });
  const unseen = await outcome();
  if (!unseen) return; // not begun when the run was suspended
  const ms = agent.clock.monotonicMs() - startedMs - (unseen.askedMs ?? 0);
  const screened = (await agent.filter?.result(unseen)) ?? { result: unseen, notices: [] };
  for (const denied of unseen.denied ?? []) await emitDenied(agent, call.id, denied);
  // The full text of a long result is kept on disk, redacted too.
  const result = withinBudget(
    ran ? await withHooks(agent, { call, ...ran, result: screened.result }, signal) : screened.result,
    agent.outputs,
  );
  emitEnded(agent, call, { subject, ms: Math.max(0, ms), result });
  for (const text of [...screened.notices, ...(unseen.notices ?? [])])
    agent.emit({ type: "notice", level: "warning", text, at: agent.clock.now().toISOString() });

  async function outcome(): Promise<ToolResult | undefined> {
    if (suspensionOf(signal)) return undefined;
    if (signal.aborted) return failure(notRunResult, "not run");
    if (!tool || !read)
      return failure(`There is no tool "${call.name}". The tools are: ${agent.tools.map(({ name }) => name).join(", ")}.`, "unknown tool");
    if (!read.ok) return failure(`${tool.name} cannot take this input: ${read.reason}. Nothing was run.`, "bad input");
    const permission = await agent.permit(toolCall(tool, call.id, read.input), signal).catch(refusedByDisk);
    const ranMs = permission.allowed ? permission.ranMs : undefined;
    startedMs = agent.clock.monotonicMs() - (ranMs ?? 0); // the time a person took to answer does not count
    if (suspensionOf(signal)) return undefined;
    if (!permission.allowed) {
      const { reason, missing: rules } = permission;
      if (permission.obstacle) return permission.obstacle;
      await emitDenied(agent, call.id, { tool: call.name, subject, reason, ...(rules?.length && { rules }) });
      return failure(`Permission denied: ${reason}`, "denied");
    }
    const { input = read.input } = permission;
    subject = await clean(tool.subject(input));
    const screened = (await agent.filter?.call({ tool: tool.name, input }, signal)) ?? { ok: true, input };
    const onOutput = (text: string) => agent.emit({ type: "tool_output", id: call.id, text });
    if (!screened.ok) return failure(screened.reason, "refused");
    ran = { tool, input, changed: permission.input !== undefined };
    return guarded(tool, screened.input, { signal, call: call.id, onOutput });
  }
}

type MeantCall = { tool: AnyTool | undefined; read: ReadArguments | undefined };

/** The tool that is called, or the one that its call is for. */
function meantCall({ tools }: Pick<Agent, "tools">, { name, input }: ToolUseBlock): MeantCall {
  const tool = tools.find((candidate) => candidate.name === name);
  const read = tool && readArguments(tool, input);
  const meant = tool && read?.ok ? tool.forwards?.(read.input) : undefined;
  return meant ? { tool: meant.tool, read: readArguments(meant.tool, meant.input) } : { tool, read };
}

export function toolCall(tool: AnyTool, id: string, input: unknown): ToolCall {
  return {
    id,
    tool: tool.name,
    input,
    obstacle: () => tool.obstacle?.(input) ?? Promise.resolve(undefined),
    replaces: () => tool.replaces?.(input) ?? Promise.resolve(undefined),
    shown: (cwd) => shownInput(tool, input, cwd),
    withInput(raw, shown) {
      const meant =
        shown && isRecord(raw) && isRecord(input) ? underOurNames(raw, { input, shown, aliases: tool.aliases ?? {} }) : undefined;
      const read = meant?.ok === false ? meant : readArguments(tool, meant?.ok ? meant.input : raw);
      return read.ok ? { ok: true, call: toolCall(tool, id, read.input) } : read;
    },
  };
}

/** What hooks read as the input of a call. */
export function shownInput({ aliases = {} }: Pick<AnyTool, "aliases">, input: unknown, cwd: string): Record<string, unknown> {
  return isRecord(input) ? underAllNames(input, aliases, cwd) : {};
}

type Ran = { call: ToolUseBlock; tool: AnyTool; input: unknown; changed: boolean; result: ToolResult };

/** Appends what hooks changed in the call or say about its result, redacted. */
async function withHooks(agent: Agent, { call, tool, input, changed, result }: Ran, signal: AbortSignal): Promise<ToolResult> {
  const { text, isError } = result;
  const said = await agent.hooks?.afterCall(
    { id: call.id, tool: tool.name, input, shown: (cwd) => shownInput(tool, input, cwd), text, isError },
    signal,
  );
  const below = [...(changed ? [changedInput(input)] : []), ...(said === undefined ? [] : [said])];
  if (below.length === 0) return result;
  const more: ToolResult = { text: below.join("\n\n"), isError: false, summary: "" };
  const screened = (await agent.filter?.result(more))?.result ?? more;
  return { ...result, text: `${text}\n\n${screened.text}` };
}

function subjectOf(agent: Agent, call: ToolUseBlock): string {
  const { tool, read } = meantCall(agent, call);
  return tool && read?.ok ? tool.subject(read.input) : "";
}

/** What a decision needs could not be read or written: this call fails, and the session goes on. */
function refusedByDisk(error: unknown): Permission {
  if (diskErrorWords(errorCode(error)) === undefined) throw error;
  const reason = `Cannot check this call: ${faultSentence(error, "Nothing was run")}`;
  return { allowed: false, reason, obstacle: failure(reason, "failed") };
}

/** Runs one tool call; an error that the tool throws becomes its result. */
async function guarded(tool: AnyTool, input: unknown, context: ToolContext): Promise<ToolResult> {
  try {
    return await tool.run(input, context);
  } catch (error) {
    const message = errorText(error);
    return failure(`${tool.name} failed: ${message}`, "failed");
  }
}

/** Without secrets. `id`: of the call, or how the person named what was refused. */
export async function emitDenied(agent: Agent, id: string, { tool, subject, reason, rules }: DeniedOnTheWay): Promise<void> {
  const clean = async (text: string) => (await agent.filter?.text(text)) ?? text;
  const words = {
    subject: await clean(subject),
    reason: await clean(reason),
    ...(rules && { rules: await Promise.all(rules.map(clean)) }),
  };
  agent.emit({ type: "denied", id, name: tool, ...words, at: agent.clock.now().toISOString() });
}

function emitEnded(agent: Agent, call: ToolUseBlock, { subject, ms, result }: { subject: string; ms: number; result: ToolResult }): void {
  const { text, media, isError, summary, touched = [], detail, sources, wrote } = result;
  agent.emit({
    type: "tool_ended",
    id: call.id,
    name: call.name,
    subject,
    text,
    ...(media && { media }),
    isError,
    summary,
    touched,
    ...(detail !== undefined && { detail }),
    ...(sources && { sources }),
    ...(wrote && { wrote }),
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
