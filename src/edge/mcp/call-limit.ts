// The time limit of one call: it begins again with each progress, stands still while the person is asked, and has an end after all.

export type CallLimit = {
  signal: AbortSignal;
  renew(): void;
  pause(): void;
  resume(): void;
  end(): void;
};

/** However much progress is reported. */
const mostRenewals = 60;

export function callLimit(ms: number): CallLimit {
  const over = new AbortController();
  const abort = () => over.abort();
  const whole = setTimeout(abort, Math.min(ms * mostRenewals, 2 ** 31 - 1));
  let part: NodeJS.Timeout | undefined = setTimeout(abort, ms);
  let pauses = 0;
  const renew = () => {
    clearTimeout(part);
    part = pauses > 0 ? undefined : setTimeout(abort, ms);
  };
  return {
    signal: over.signal,
    renew,
    pause() {
      pauses++;
      clearTimeout(part);
    },
    resume() {
      pauses--;
      renew();
    },
    end() {
      clearTimeout(whole);
      clearTimeout(part);
    },
  };
}
