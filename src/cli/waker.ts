// Sleeping until something happens, without missing what happens just before.

/** `next` resolves at the next `now`, at once when one came since the last `next`, or when the signal aborts. */
export function waker(): { now: () => void; next: (signal: AbortSignal) => Promise<void> } {
  let pending = false;
  let resolve: (() => void) | undefined;
  return {
    now() {
      pending = true;
      resolve?.();
    },
    async next(signal) {
      if (!pending && !signal.aborted) {
        await new Promise<void>((done) => {
          resolve = done;
          signal.addEventListener("abort", () => done(), { once: true });
        });
      }
      resolve = undefined;
      pending = false;
    },
  };
}
