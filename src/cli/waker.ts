// Sleeping until something happens, without missing what happens just before.

export type Waker = {
  now(): void;
  /** Resolves at the next `now`, at once when one came since the last `next`, or when the signal aborts. One waits at a time. */
  next(signal: AbortSignal): Promise<void>;
};

export function waker(): Waker {
  let pending = false;
  let wake = () => {};
  return {
    now() {
      pending = true;
      wake();
    },
    async next(signal) {
      if (!pending && !signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          signal.addEventListener("abort", wake, { once: true });
        });
        signal.removeEventListener("abort", wake);
      }
      wake = () => {};
      pending = false;
    },
  };
}
