// A signal that aborts with its call or at a time limit, whichever is first.

/** `release` removes the listener from the original signal. */
export type TimeLimit = { signal: AbortSignal; release(): void };

/**
 * Aborts with `signal`, or after `ms` milliseconds with a TimeoutError. Does not use AbortSignal.any(), because Node 20 garbage-collects a
 * timeout signal that nothing else references, and then it never fires (github.com/nodejs/node/issues/57736).
 */
export function withTimeLimit(signal: AbortSignal, ms: number): TimeLimit {
  const either = new AbortController();
  for (const one of [signal, AbortSignal.timeout(ms)]) {
    if (one.aborted) either.abort(one.reason);
    else one.addEventListener("abort", () => either.abort(one.reason), { once: true, signal: either.signal });
  }
  return { signal: either.signal, release: () => either.abort() };
}
