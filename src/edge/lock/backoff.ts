// How a process waits for the lock: how long in total, and how often it checks.

export interface Backoff {
  isOver(): boolean;
  /** Waits until it is worth checking again. `top`: the generation just seen; `ahead`: how many wait before this process. */
  pause(seen: { top: number; ahead: number }): Promise<void>;
}

/** Time in which this process was stopped or too busy to check does not count as waiting. */
export function backoff(timeoutMs: number): Backoff {
  let waitedMs = 0;
  let first: number | undefined;
  let last = { top: -1, atMs: 0 };
  return {
    isOver: () => waitedMs >= timeoutMs,
    pause: async ({ top, ahead }) => {
      first ??= top;
      if (top !== last.top) last = { top, atMs: waitedMs };
      const paceMs = Math.max(waitedMs - last.atMs, waitedMs / Math.max(1, top - first));
      const delayMs = Math.min(pollDelayMs(ahead, paceMs) * (0.5 + Math.random()), timeoutMs - waitedMs);
      const before = performance.now();
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      waitedMs += Math.min(performance.now() - before, delayMs + 1000);
    },
  };
}

/**
 * `paceMs`: the time from one grant to the next, as observed while waiting. The first in line checks ten times in that period; the others
 * check after half the expected time until their turn, so that a crowd spends little on checking. A limit lets every waiter notice a dead
 * holder within a third of a second.
 */
function pollDelayMs(ahead: number, paceMs: number): number {
  return Math.min(Math.max(1, paceMs / 10) + ahead * Math.max(2, paceMs / 2), 200);
}
