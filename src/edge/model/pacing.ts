// Reads a stream of tokens at intervals: a process that wakes for each token uses several times the processor time of one that reads what
// has accumulated. Unread data stays with the system, because http-fetch.ts reads nothing ahead.
import { setTimeout as pause } from "node:timers/promises";

/** A short answer is not delayed; only a longer one is read at intervals. */
const atOnceMs = 500;
/** One frame of the screen. */
const readIntervalMs = 66;

/** To be waited for after each piece of an answer; undefined while there is nothing to wait for. */
export function pacing(): () => Promise<void> | undefined {
  const begin = performance.now();
  return () => (performance.now() - begin > atOnceMs ? pause(readIntervalMs) : undefined);
}
