// Time and chance, as the inner folders see them.

export interface Clock {
  /** For what is shown and stored. A person may set it at any moment, so nothing is waited for by it. */
  now(): Date;
  /** Milliseconds since the machine started, the same for all its processes; they only ever grow. For waiting and for measuring. */
  monotonicMs(): number;
  /** Resolves after `ms`, or at once when the signal aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** A number in [0, 1). */
  random(): number;
}
