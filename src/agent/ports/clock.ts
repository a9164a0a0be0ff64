// Time and chance, as the inner folders see them.

export interface Clock {
  /** Wall-clock time, for display and storage. The user may change it at any time, so no wait uses it. */
  now(): Date;
  /** Milliseconds since the machine started, the same for all its processes, never decreasing. For waiting and measuring. */
  monotonicMs(): number;
  /** Resolves after `ms`, or at once when the signal aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** A number in [0, 1). */
  random(): number;
}
