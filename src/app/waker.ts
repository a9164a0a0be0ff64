// Sleeps until something happens, without missing a signal that comes just before.

export type Waker = {
  notify(): void;
  /** Resolves at the next `notify`, at once if one came while nothing waited, or when the signal aborts, which keeps a pending one. */
  next(signal: AbortSignal): Promise<void>;
};

export function waker(): Waker {
  let pending = false;
  const waiting = new Set<() => void>();
  return {
    notify() {
      pending = true;
      for (const wake of waiting) wake();
    },
    async next(signal) {
      if (!pending && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const wake = () => {
            waiting.delete(wake);
            signal.removeEventListener("abort", wake);
            resolve();
          };
          waiting.add(wake);
          signal.addEventListener("abort", wake, { once: true });
        });
      }
      if (!signal.aborted) pending = false;
    },
  };
}
