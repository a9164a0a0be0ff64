// When a failed attempt at a request is made again, after how long, and when that ends.
import type { Clock } from "../ports/clock.ts";
import type { AttemptOptions, Model, ModelFault, ModelOutcome, ModelRequest, PartialReply } from "../ports/model.ts";

/** The facts about a wait, for display before it begins. */
export type Retry = {
  reason: string;
  waitMs: number;
  /** The attempt after the wait: 0 if another agent's refusal delays the first one, then 1, 2, 3 … */
  retryCount: number;
};

/** What all agents of the same provider know about its load, so that they do not all retry at once. */
export interface RetryBudget {
  /** Milliseconds until this agent may make an attempt; 0: now. To be asked again after the wait. */
  before(): number;
  /** The provider refused an attempt because of too much load, and asked for a wait or did not. */
  overloaded(retryAfterMs: number | undefined): void;
}

export type RetryOptions = {
  clock: Clock;
  signal: AbortSignal;
  onText: AttemptOptions["onText"];
  onThought?: AttemptOptions["onThought"] | undefined;
  onCallText?: AttemptOptions["onCallText"] | undefined;
  onNotice?: AttemptOptions["onNotice"] | undefined;
  /** Called before each attempt with the number of attempts that came before it. */
  onAttempt?: ((retryCount: number) => void) | undefined;
  onRetry?: (retry: Retry) => void;
  /** Called for each attempt of which something came, but no whole reply. */
  onUnfinished?: (partial: PartialReply) => void;
  budget?: RetryBudget;
  /** Ends the retries: the fault is returned unchanged. */
  enough?: (fault: ModelFault, so: { overloads: number; waitMs: number }) => boolean;
};

/** The first attempt included. With the waits below, a provider that stays silent is given about two minutes. */
export const maxAttempts = 10;
const firstWaitMs = 500;
const longestBackoffMs = 32_000;
/** A provider may ask for a longer wait; after this one the request is made again anyway. */
export const longestRetryAfterMs = 60 * 60 * 1000;
/** Agents that were refused at the same moment must not come back at the same moment. */
const spreadMs = 1000;

/** Waiting for one's turn while a provider recovers takes an unnoticeable moment, also for a single agent. */
const untoldMs = 1000;

/** The reason shown for a wait that another agent's refusal has caused. */
export const heldBack = "The provider has told another agent of yours to wait.";

/**
 * Attempts the request until there is a reply, the signal aborts, or trying again is pointless. A fault that outlasts every attempt
 * comes back with how often and how long it was tried. Never throws for what a model answers.
 */
export async function withRetries(model: Model, request: ModelRequest, options: RetryOptions): Promise<ModelOutcome> {
  const { clock, signal, onAttempt, budget, enough } = options;
  const { onText, onThought, onCallText, onNotice } = options;
  const started = clock.monotonicMs();
  let owed = { reason: heldBack, waitMs: 0 };
  let overloads = 0;
  for (let retryCount = 0; ; retryCount++) {
    await waitForTurn(owed, { ...options, retryCount });
    if (signal.aborted) return { kind: "aborted" };
    onAttempt?.(retryCount);
    const outcome = await model.attempt(request, { signal, retryCount, onText, onThought, onCallText, onNotice });
    if (outcome.kind !== "reply" && outcome.partial) options.onUnfinished?.(outcome.partial);
    if (outcome.kind !== "fault" || outcome.fault.verdict !== "retry") return outcome;
    const { fault } = outcome;
    if (isOverload(fault)) budget?.overloaded(fault.retryAfterMs);
    if (retryCount + 1 >= maxAttempts) return { kind: "fault", fault: givenUp(fault, clock.monotonicMs() - started) };
    if (fault.status === 529) overloads++;
    owed = { reason: fault.reason, waitMs: waitBeforeRetry(fault, { retryCount, chance: clock.random() }) };
    if (enough?.(fault, { overloads, waitMs: owed.waitMs })) return outcome;
  }
}

/** Waits what this agent owes after its own refusal, and then for as long as the shared budget holds it back. */
async function waitForTurn(
  owed: { reason: string; waitMs: number },
  { budget, clock, signal, onRetry, retryCount }: RetryOptions & { retryCount: number },
): Promise<void> {
  for (let wait = owed; !signal.aborted; wait = { ...owed, waitMs: 0 }) {
    const waitMs = Math.max(wait.waitMs, budget?.before() ?? 0);
    if (waitMs <= 0) return;
    if (wait.waitMs > 0 || waitMs >= untoldMs) onRetry?.({ reason: owed.reason, waitMs, retryCount });
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

/** Too many requests for this key, or for the provider. */
function isOverload({ status }: ModelFault): boolean {
  return status === 429 || status === 503 || status === 529;
}

function givenUp(fault: ModelFault, tookMs: number): ModelFault {
  return { ...fault, reason: `${fault.reason} Given up after ${maxAttempts} attempts in ${Math.round(tookMs / 1000)} s.` };
}
