// A call's own end or its time limit, whichever comes first.

/** `release`: it is not needed any more, and nothing of it stays on the signal that it was made from. */
export type TimeLimit = { signal: AbortSignal; release(): void };

/**
 * Aborts with `signal`, or after `ms` milliseconds with a TimeoutError. Not by AbortSignal.any(): Node 20 collects a time limit that
 * nobody but it holds, and then it never comes (github.com/nodejs/node/issues/57736).
 */
export function withTimeLimit(signal: AbortSignal, ms: number): TimeLimit {
  const either = new AbortController();
  for (const one of [signal, AbortSignal.timeout(ms)]) {
    if (one.aborted) either.abort(one.reason);
    else one.addEventListener("abort", () => either.abort(one.reason), { once: true, signal: either.signal });
  }
  return { signal: either.signal, release: () => either.abort() };
}
