// Failures of a teammate by cause: after how long each is retried automatically, and how often. The table is the documentation.

export type FailureClass =
  /** The provider refuses the key. */
  | "key_refused"
  /** A budget at the provider is spent: more may be bought, or a month end. */
  | "quota"
  /** The provider cannot be reached, or answers that it cannot serve now. */
  | "outage"
  /** The process cannot use what it was started with. */
  | "configuration"
  /** The process died, or its display was lost. */
  | "crash";

const seconds = 1_000;
const minutes = 60 * seconds;

/** The last wait of a row is repeated for further retries. */
const tries: Record<FailureClass, { waitsMs: readonly number[]; most: number }> = {
  key_refused: { waitsMs: [], most: 0 },
  quota: { waitsMs: [10 * minutes, 30 * minutes, 60 * minutes], most: 8 },
  outage: { waitsMs: [30 * seconds, 1 * minutes, 2 * minutes, 5 * minutes, 10 * minutes, 15 * minutes], most: 40 },
  configuration: { waitsMs: [], most: 0 },
  crash: { waitsMs: [0, 1 * seconds, 5 * seconds], most: 3 },
};

/** Milliseconds until the next retry; undefined when it waits for a person. `made`: the number of retries so far. */
export function nextTryMs(failure: FailureClass, made: number): number | undefined {
  const { waitsMs, most } = tries[failure];
  return made < most ? waitsMs[Math.min(made, waitsMs.length - 1)] : undefined;
}
