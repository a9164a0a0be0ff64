// When a failed attempt at a request is made again, after how long, and when that ends.
import type { Clock } from "./clock.ts";
import type { AttemptOptions, Model, ModelFault, ModelOutcome, ModelRequest } from "./model.ts";

/** What is known before a wait, so that every wait can be shown. */
export type Retry = {
  reason: string;
  waitMs: number;
  /** Of the attempt that follows the wait: 1, 2, 3 … */
  retryCount: number;
};

export type RetryOptions = {
  clock: Clock;
  signal: AbortSignal;
  onText: AttemptOptions["onText"];
  /** Called before each attempt with the number of attempts that came before it. */
  onAttempt?: (retryCount: number) => void;
  onRetry?: (retry: Retry) => void;
};

/** The first attempt included. With the waits below, a provider that stays silent is given about two minutes. */
export const maxAttempts = 10;
const firstWaitMs = 500;
const longestBackoffMs = 32_000;
/** A provider may ask for a longer wait; after this one the request is made again all the same. */
export const longestRetryAfterMs = 60 * 60 * 1000;
/** Agents that were refused at the same moment must not come back at the same moment. */
const spreadMs = 1000;

/**
 * Attempts the request until there is a reply, the signal aborts, or trying again is pointless. A fault that outlasts every attempt
 * comes back with how often and how long it was tried. Never throws for what a model answers.
 */
export async function withRetries(model: Model, request: ModelRequest, options: RetryOptions): Promise<ModelOutcome> {
  const { clock, signal, onText, onAttempt, onRetry } = options;
  const started = clock.now().getTime();
  for (let retryCount = 0; ; retryCount++) {
    if (signal.aborted) return { kind: "aborted" };
    onAttempt?.(retryCount);
    const outcome = await model.attempt(request, { signal, retryCount, onText });
    if (outcome.kind !== "fault" || outcome.fault.verdict !== "retry") return outcome;
    if (retryCount + 1 >= maxAttempts) return { kind: "fault", fault: givenUp(outcome.fault, clock.now().getTime() - started) };
    const waitMs = waitBeforeRetry(outcome.fault, { retryCount, chance: clock.random() });
    onRetry?.({ reason: outcome.fault.reason, waitMs, retryCount: retryCount + 1 });
    await clock.sleep(waitMs, signal);
  }
}

/**
 * Milliseconds to wait after the attempt number `retryCount` (0, 1, 2 …): 0.5 s doubled each time up to 32 s, of which `chance`, a number
 * in [0, 1), takes away up to a half; and never less than the provider asked for, up to an hour.
 */
export function waitBeforeRetry(fault: ModelFault, { retryCount, chance }: { retryCount: number; chance: number }): number {
  const backoffMs = Math.min(firstWaitMs * 2 ** retryCount, longestBackoffMs) * (1 - chance / 2);
  if (fault.retryAfterMs === undefined) return Math.round(backoffMs);
  const askedMs = Math.min(fault.retryAfterMs, longestRetryAfterMs) + chance * spreadMs;
  return Math.round(Math.max(askedMs, backoffMs));
}

function givenUp(fault: ModelFault, tookMs: number): ModelFault {
  return { ...fault, reason: `${fault.reason} Given up after ${maxAttempts} attempts in ${Math.round(tookMs / 1000)} s.` };
}
