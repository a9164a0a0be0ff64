// The agent loop: ask the model, run the tool calls it wants, append, repeat.
import type { Agent } from "./agent.ts";
import { withAttachments } from "./attachments.ts";
import type { Ending, Input, ProviderFailure } from "./events.ts";
import type { AssistantMessage, ModelFault, ModelOutcome, ModelReply, ToolUseBlock } from "./ports/model.ts";
import { continueAfterCut, continueAfterNothing, continueAfterPause } from "./prompt.ts";
import { createRepetition, type Repetition } from "./repetition.ts";
import { askModel } from "./requests/ask-model.ts";
import { askWithinWindow } from "./requests/ask-within-window.ts";
import { buildRequest, raisedLimit } from "./requests/request.ts";
import { keptReply } from "./requests/thinking.ts";
import { noReply } from "./session/history.ts";
import { suspensionOf } from "./session/suspension.ts";
import { withSkills } from "./session/used-skills.ts";
import { emitDenied, runToolCalls, settleInterrupted } from "./tool-calls.ts";

export type Ended = { ending: Ending; text: string };

/**
 * Runs turns until the model has nothing more to call, a limit is reached, a fault stays, or the signal aborts. Never throws for those.
 * `notBegun`: calls of the last reply that were held back when the run was suspended, and that run first.
 */
export async function runTurns(agent: Agent, signal: AbortSignal, notBegun: readonly string[] = []): Promise<Ended> {
  if (agent.fallback) agent.fallback.answers = false;
  settleInterrupted(agent, notBegun);
  await runToolCalls(agent, agent.history.pendingCalls(), signal);
  let text = "";
  /** The text of unfinished replies, which the next reply continues. */
  let begun = "";
  let unfinished = 0;
  let full = false;
  let stops = 0;
  const repetition = createRepetition();
  for (let turn = 1; ; turn++) {
    if (suspensionOf(signal)) return end(agent, { ending: { kind: "aborted" }, text }, signal);
    const refusal = await takeInput(agent, { turn, repetition }, signal);
    const limit = stoppedByHook(agent) ?? refusal ?? limitReached(agent, turn);
    if (limit) return end(agent, { ending: limit, text }, signal);

    const outcome = await askWithinWindow(agent, { ask: () => ask(agent, turn, signal), full, signal });
    if (outcome.kind !== "reply") return end(agent, { ending: endingOf(outcome), text }, signal);
    const said = [begun, textOf(lastReply(agent))].filter(Boolean).join("\n");
    text = said || text;
    if (outcome.stop_reason === "refusal") return end(agent, { ending: { kind: "fault", reason: refused }, text }, signal);

    const calls = callsOf(outcome.message);
    if (calls.length > 0) {
      await agent.written?.(signal); // started calls are known after a crash, and not started again
      await runToolCalls(agent, calls, signal);
    }
    if (signal.aborted) return end(agent, { ending: { kind: "aborted" }, text }, signal);
    const again = repetition.after(agent, calls);
    if (again && "ending" in again) return end(agent, { ending: again.ending, text }, signal);
    if (again) recordInputs(agent, [again.input]);
    full = outcome.stop_reason === "model_context_window_exceeded";
    if (outcome.stop_reason === "max_tokens") agent.maxTokens = raisedLimit(agent);
    const rest = unfinishedBusiness(outcome, calls.length);
    unfinished = rest ? unfinished + 1 : 0;
    begun = rest ? said : "";
    if (rest && unfinished === mostUnfinished)
      return end(agent, { ending: { kind: "fault", reason: `${unfinished} replies in a row ${rest.what}.` }, text }, signal);
    if (rest) recordInputs(agent, [rest.input]);
    else if (calls.length === 0) {
      const wanted = await wantedBeforeStop(agent, { text, stops: stops++ }, signal);
      if (!wanted) return end(agent, { ending: { kind: "done" }, text }, signal);
      await addInputs(agent, [wanted]);
    }
  }
}

/** A model that needs more continuations than this will not finish with more. */
const mostUnfinished = 3;

export const refused = "The model refused to go on with this conversation.";

/** The message to the model after an incomplete reply. */
function unfinishedBusiness({ stop_reason, message }: ModelReply, callsKept: number): { what: string; input: Input } | undefined {
  switch (stop_reason) {
    case "max_tokens":
      return { what: "were cut at the output limit", input: continueAfterCut(callsKept) };
    case "model_context_window_exceeded":
      return { what: "were cut because the conversation is too long", input: continueAfterCut(callsKept) };
    case "pause_turn":
      return callsKept > 0 ? undefined : { what: "were broken off by the provider", input: continueAfterPause };
    default:
      return callsKept > 0 || textOf(message) !== "" ? undefined : { what: "were empty", input: continueAfterNothing };
  }
}

async function ask(agent: Agent, turn: number, signal: AbortSignal): Promise<ModelOutcome> {
  const started = agent.clock.monotonicMs();
  const outcome = await askModel(agent, {
    build: () => buildRequest(agent),
    signal,
    onAttempt: (retryCount) => agent.emit({ type: "request", turn, retryCount, at: at(agent) }),
    onText: (text) => agent.emit({ type: "text", text }),
    onThought: (text) => agent.emit({ type: "thought", text }),
    onCallText: (piece) => agent.emit({ type: "call_text", ...piece }),
  });
  if (outcome.kind === "reply") {
    const { kind: _kind, message, ...said } = outcome;
    const ms = agent.clock.monotonicMs() - started;
    const recorded = keptReply(message, (await agent.filter?.reply(message)) ?? message);
    agent.emit({ type: "reply", turn, message: recorded, ...said, costUsd: agent.costUsd(outcome), ms, at: at(agent) });
  }
  return outcome;
}

/** Hooks may refuse typed input. If no input is left, the run ends. */
async function takeInput(
  agent: Agent,
  { turn, repetition }: { turn: number; repetition: Repetition },
  signal: AbortSignal,
): Promise<Ending | undefined> {
  const taken = agent.inbox.take(turn);
  if (taken.length === 0) return undefined;
  repetition.news();
  const { inputs: passed, refused } = (await agent.hooks?.inputs(taken, signal)) ?? { inputs: taken };
  const said = await withAttachments(agent, await withSkills(agent, passed, signal), signal);
  await addInputs(agent, [...(await openingOf(agent, said.inputs)), ...said.inputs]);
  for (const text of said.notices) warn(agent, text);
  for (const { id, ...denied } of said.denied) await emitDenied(agent, id, denied);
  await agent.written?.(signal);
  if (!signal.aborted || !agent.written) agent.inbox.recorded(taken);
  if (refused === undefined) return undefined;
  if (agent.history.messages().at(-1)?.role !== "user") return { kind: "fault", reason: refused };
  warn(agent, refused);
  return undefined;
}

async function openingOf({ history, opening }: Agent, said: Input[]): Promise<Input[]> {
  return opening && said.length > 0 && history.messages().length === 0 ? [await opening()] : [];
}

/** Without their secrets. */
async function addInputs(agent: Agent, whole: Input[]): Promise<void> {
  if (whole.length === 0) return;
  const { inputs, notices } = (await agent.filter?.inputs(whole)) ?? { inputs: whole, notices: [] };
  recordInputs(agent, inputs);
  for (const text of notices) warn(agent, text);
}

/** The limit on consecutive repetitions, against an endless loop. */
const mostStops = 5;

async function wantedBeforeStop(
  agent: Agent,
  { text, stops }: { text: string; stops: number },
  signal: AbortSignal,
): Promise<Input | undefined> {
  const wanted = await agent.hooks?.beforeStop({ text, again: stops > 0 }, signal);
  if (!wanted || stops < mostStops) return wanted;
  warn(agent, `The agent stops although hooks have kept it from stopping ${mostStops} times: ${wanted.text}`);
  return undefined;
}

function warn(agent: Agent, text: string): void {
  agent.emit({ type: "notice", level: "warning", text, at: at(agent) });
}

function recordInputs(agent: Agent, inputs: Input[]): void {
  agent.emit({ type: "input", inputs, at: at(agent) });
}

function stoppedByHook({ hooks }: Agent): Ending | undefined {
  const reason = hooks?.stopped();
  return reason === undefined ? undefined : { kind: "stopped_by_hook", reason };
}

function limitReached(agent: Agent, turn: number): Ending | undefined {
  const { maxTurns, budgetUsd } = agent.limits;
  if (maxTurns !== undefined && turn > maxTurns) return { kind: "max_turns", limit: maxTurns };
  const spentUsd = agent.spentUsd();
  if (budgetUsd !== undefined && spentUsd >= budgetUsd) return { kind: "budget", limitUsd: budgetUsd, spentUsd };
  return undefined;
}

async function end(agent: Agent, ended: Ended, signal: AbortSignal): Promise<Ended> {
  agent.emit({ type: "ended", ...ended, at: at(agent) });
  await agent.written?.(signal);
  return ended;
}

function endingOf(outcome: Exclude<ModelOutcome, ModelReply>): Ending {
  if (outcome.kind === "aborted") return { kind: "aborted" };
  const cause = failureOf(outcome.fault);
  return { kind: "fault", reason: outcome.fault.reason, ...(cause && { cause }) };
}

function failureOf({ verdict, status }: ModelFault): ProviderFailure | undefined {
  if (verdict === "spent") return "quota";
  if (verdict === "retry") return "outage";
  return status === 401 || status === 403 ? "key_refused" : undefined;
}

function textOf(message: AssistantMessage): string {
  return message.content.flatMap((block) => (block.type === "text" ? block.text : [])).join("");
}

/** The recorded form. The call itself runs as the model wrote it. */
function lastReply(agent: Agent): AssistantMessage {
  const last = agent.history.messages().findLast(({ role }) => role === "assistant");
  if (last?.role !== "assistant") return { role: "assistant", content: [] };
  return { ...last, content: last.content.filter((block) => block.type !== "text" || block.text !== noReply) };
}

function callsOf(message: AssistantMessage): ToolUseBlock[] {
  return message.content.filter((block) => block.type === "tool_use");
}

function at(agent: Agent): string {
  return agent.clock.now().toISOString();
}
