// Reads a stream of tokens at intervals: a process that wakes for each token uses several times the processor time of one that reads what
// has accumulated. Unread data stays with the system, because http-fetch.ts reads nothing ahead.
import { setTimeout as pause } from "node:timers/promises";

/** A short answer is not delayed; only a longer one is read at intervals. */
const atOnceMs = 500;
/** One frame of the screen. */
const readIntervalMs = 66;

export async function* throttle(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const begin = performance.now();
  for await (const piece of pieces) {
    yield piece;
    if (performance.now() - begin > atOnceMs) await pause(readIntervalMs);
  }
}
