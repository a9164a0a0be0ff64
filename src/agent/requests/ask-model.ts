// One answer to one request: with retries if they can help, by the fallback model while the first is overloaded, and without earlier thoughts or new
// images if the provider refuses those.
import type { Agent } from "../agent.ts";
import type { AttemptOptions, ModelOutcome, ModelRequest } from "../ports/model.ts";
import { mediaRefused, thoughtsRefused } from "../prompt.ts";
import { fellBack, isTimeToFallBack } from "./fallback.ts";
import { withRetries } from "./retry.ts";
import { recordUnfinished } from "./unfinished-reply.ts";

export type Asked = {
  /** The request as the agent is now: it may be built again for another attempt. */
  build: () => ModelRequest;
  signal: AbortSignal;
  onAttempt?: (retryCount: number) => void;
} & Partial<Pick<AttemptOptions, "onText" | "onThought" | "onCallText">>;

export async function askModel(agent: Agent, asked: Asked): Promise<ModelOutcome> {
  let outcome = await attempts(agent, asked);
  if (isOverloaded(outcome) && agent.fallback && !agent.fallback.answers && !asked.signal.aborted) {
    agent.fallback.answers = true;
    agent.emit({ type: "notice", level: "warning", text: fellBack(agent), at: at(agent) });
    outcome = await attempts(agent, asked);
  }
  if (refusesThoughts(outcome) && agent.history.hasThoughts()) {
    agent.emit({ type: "thoughts_dropped", reason: thoughtsRefused, at: at(agent) });
    outcome = await attempts(agent, asked);
  }
  if (refusesMedia(outcome) && agent.history.hasNewMedia()) {
    agent.emit({ type: "media_dropped", reason: mediaRefused(outcome.fault.reason), at: at(agent) });
    outcome = await attempts(agent, asked);
  }
  return outcome;
}

function attempts(agent: Agent, { build, signal, onAttempt, onText = () => {}, onThought, onCallText }: Asked): Promise<ModelOutcome> {
  const { fallback, clock } = agent;
  return withRetries(agent.model, build(), {
    clock,
    signal,
    // the wait for the overloaded model does not apply to the fallback
    ...(!fallback?.answers && { budget: agent.retryBudget }),
    ...(fallback && !fallback.answers && { enough: isTimeToFallBack }),
    onAttempt,
    onText,
    onThought,
    onCallText,
    onNotice: (text) => agent.emit({ type: "notice", level: "warning", text, at: at(agent) }),
    onRetry: (retry) => agent.emit({ type: "retry", ...retry, at: at(agent) }),
    onUnfinished: (partial) => recordUnfinished(agent, partial),
  });
}

function isOverloaded(outcome: ModelOutcome): boolean {
  return outcome.kind === "fault" && outcome.fault.status === 529;
}

/** Such as "`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified" and "Invalid `signature` in `thinking` block". */
function refusesThoughts(outcome: ModelOutcome): boolean {
  return outcome.kind === "fault" && outcome.fault.status === 400 && /thinking\W+ blocks?|signature/i.test(outcome.fault.reason);
}

/** Such as "Could not process image" and "The PDF specified was not valid.". */
function refusesMedia(outcome: ModelOutcome): outcome is Extract<ModelOutcome, { kind: "fault" }> {
  if (outcome.kind !== "fault" || outcome.fault.status !== 400 || outcome.fault.verdict !== "fatal") return false;
  return /\b(?:image|document|PDF|media_type)\b/i.test(outcome.fault.reason);
}

function at(agent: Agent): string {
  return agent.clock.now().toISOString();
}
