// Compaction: the conversation is replaced by the model's own summary of it. The request for the summary extends the one before, so that
// almost all of it is read from the provider's cache; the turn whose results were not sent yet stays whole.
import type { Agent } from "../agent.ts";
import type { CompactionCause } from "../events.ts";
import { type Message, type ModelOutcome, type ModelReply, type ModelRequest, type ToolResultBlock, textOfResult } from "../ports/model.ts";
import { askForSummary, nothingToCompact, notShorter, summaryInPlace } from "../prompt.ts";
import { shortened } from "../session/history.ts";
import { settleInterrupted } from "../tool-calls.ts";
import { promptTokens } from "../usage.ts";
import { askModel } from "./ask-model.ts";
import { answeringModel } from "./fallback.ts";
import { contextWindow } from "./prices.ts";
import { buildRequest } from "./request.ts";
import { estimatePreamble, estimateReply } from "./tokens.ts";

export type Compaction =
  | { kind: "compacted"; before: number; after: number }
  /** The conversation is as it was. `reason` is a sentence. */
  | { kind: "failed"; reason: string }
  | { kind: "aborted" };

export type CompactionOrder = { cause: CompactionCause; focus?: string; signal: AbortSignal };

/** Asks once for a summary and replaces the conversation with it. If interrupted or failed, nothing changes. */
export async function compact(agent: Agent, { cause, focus, signal }: CompactionOrder): Promise<Compaction> {
  settleInterrupted(agent);
  const { messages, keptTurn } = agent.history.compactable();
  if (messages.length === 0) return failed(agent, { reason: nothingToCompact });
  const blocked = await agent.hooks?.beforeCompaction({ cause, focus }, signal);
  if (blocked !== undefined) return failed(agent, { reason: blocked });
  const before = agent.history.count.tokens();
  const started = agent.clock.monotonicMs();
  agent.emit({ type: "compacting", cause, ...(focus && { focus }), before, at: at(agent) });
  const outcome = await askModel(agent, { build: () => requestForSummary(agent, { focus, turnFollows: keptTurn !== undefined }), signal });
  if (outcome.kind === "aborted") {
    failed(agent, { reason: "It was interrupted." });
    return { kind: "aborted" };
  }
  const summary = summaryOf(outcome);
  if (outcome.kind === "fault" || !summary.ok) {
    return failed(agent, { reason: summary.ok ? "" : summary.reason, reply: outcome.kind === "reply" ? outcome : undefined });
  }

  const text = summaryInPlace(summary.text, agent.survivors?.() ?? {});
  const resultLimit = limitOf(agent, keptTurn);
  const after = tokensAfter(agent, { text, keptTurn, resultLimit });
  const { usage, model } = outcome;
  const replaced = Math.max(before, cause === "overflow" ? promptTokens(usage) : 0);
  if (after >= replaced) return failed(agent, { reason: notShorter({ before: replaced, after }), reply: outcome });
  agent.emit({
    type: "compacted",
    cause,
    ...(focus && { focus }),
    summary: text,
    before: replaced,
    after,
    ...(resultLimit !== undefined && { resultLimit }),
    usage,
    costUsd: agent.costUsd(outcome),
    model,
    ms: agent.clock.monotonicMs() - started,
    at: at(agent),
  });
  return { kind: "compacted", before, after };
}

/** Whether to compact before the next request: only if it would free something that the last compaction did not. */
export function isNearlyFull(agent: Agent): boolean {
  const tokens = agent.history.count.tokens();
  const sinceLast = tokens - (agent.history.count.afterCompaction() ?? 0);
  return tokens > fullAt(agent) && sinceLast > windowOf(agent) / 10;
}

export function windowOf(agent: Pick<Agent, "windowTokens" | "modelName" | "fallback">): number {
  return agent.windowTokens ?? contextWindow(answeringModel(agent));
}

/** Leaves room for a reply and for the request for a summary. */
function fullAt(agent: Agent): number {
  const window = windowOf(agent);
  return window - Math.min(agent.maxTokens, window / 8) - window / 20;
}

/** The same system prompt, tools and messages as before, plus one block. */
function requestForSummary(agent: Agent, wanted: { focus: string | undefined; turnFollows: boolean }): ModelRequest {
  const { messages } = agent.history.compactable();
  const ask = { type: "text" as const, text: askForSummary(wanted) };
  const last = messages.at(-1);
  const asking: Message[] =
    last?.role === "user"
      ? [...messages.slice(0, -1), { ...last, content: [...last.content, ask] }]
      : [...messages, { role: "user", content: [ask] }];
  return buildRequest({ ...agent, history: { messages: () => asking } });
}

function summaryOf(outcome: Exclude<ModelOutcome, { kind: "aborted" }>): { ok: true; text: string } | { ok: false; reason: string } {
  if (outcome.kind === "fault") return { ok: false, reason: outcome.fault.reason };
  if (outcome.stop_reason === "refusal") return { ok: false, reason: "The model refused to sum it up." };
  const text = outcome.message.content.flatMap((block) => (block.type === "text" ? block.text : [])).join("\n");
  return text.trim() === "" ? { ok: false, reason: "The model's summary was empty." } : { ok: true, text: text.trim() };
}

/** Results that would fill the window again at once are cut: together they get a quarter of it. */
function limitOf(agent: Agent, keptTurn: ToolResultBlock[] = []): number | undefined {
  const room = windowOf(agent) / 4;
  const tokens = keptTurn.reduce((sum, { content }) => sum + agent.history.count.estimate(textOfResult(content)), 0);
  return tokens <= room ? undefined : Math.floor((room / keptTurn.length) * charactersPerToken);
}

/** Conservative: denser text still fits the quarter. */
const charactersPerToken = 2;

function tokensAfter(
  agent: Agent,
  { text, keptTurn = [], resultLimit }: { text: string; keptTurn?: ToolResultBlock[]; resultLimit: number | undefined },
): number {
  const { estimate } = agent.history.count;
  const lastReply = agent.history.messages().findLast(({ role }) => role === "assistant");
  const reply = keptTurn.length > 0 && lastReply?.role === "assistant" ? estimateReply(lastReply) : 0;
  const results = keptTurn.reduce((sum, { content }) => sum + estimate(textOfResult(shortened(content, resultLimit))), 0);
  return estimatePreamble(agent) + estimate(text) + reply + results;
}

function failed(agent: Agent, { reason, reply }: { reason: string; reply?: ModelReply }): Compaction {
  const cost = reply && { usage: reply.usage, costUsd: agent.costUsd(reply), model: reply.model };
  agent.emit({ type: "compaction_failed", reason, ...cost, at: at(agent) });
  return { kind: "failed", reason };
}

function at(agent: Agent): string {
  return agent.clock.now().toISOString();
}
