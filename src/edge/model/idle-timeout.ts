// Aborts a connection after a period without data, and tells that apart from an intentional abort.

export type IdleWatch = {
  /** For the request: aborts with the attempt, after too long without data, and at the end of an answer that was not read whole. */
  signal: AbortSignal;
  /** To be told of the answer's head and of each piece of its body: these reset the timeout. */
  heard(): void;
  /** To be told that the answer was read to its end. */
  ended(): void;
  /** From now on only the end of the answer is expected, within `ms`. */
  expectEnd(ms: number): void;
  silent(): boolean;
  /** Closes what is still open. */
  end(): void;
};

export function watchIdle(attempt: AbortSignal, idleMs: number): IdleWatch {
  const connection = new AbortController();
  const close = () => connection.abort();
  let silent = false;
  let isWhole = false;
  const giveUp = () => {
    silent = true;
    close();
  };
  let timer = setTimeout(giveUp, idleMs);
  if (attempt.aborted) close();
  attempt.addEventListener("abort", close, { once: true });
  return {
    signal: connection.signal,
    heard: () => void timer.refresh(),
    ended() {
      isWhole = true;
    },
    expectEnd(ms) {
      clearTimeout(timer);
      timer = setTimeout(giveUp, ms);
    },
    silent: () => silent,
    end() {
      clearTimeout(timer);
      attempt.removeEventListener("abort", close);
      if (!isWhole) close();
    },
  };
}
