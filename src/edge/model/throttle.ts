// A stream of tokens read in sips: a process that is woken for each token takes several times the time of one that takes what has
// gathered. Who is not asked for more stays with the system meanwhile, since http-fetch.ts keeps next to nothing ahead.
import { setTimeout as pause } from "node:timers/promises";

/** A short answer is not kept waiting; only what has been coming for so long is read in sips. */
const atOnceMs = 500;
/** As long as a frame of the screen. */
const readIntervalMs = 66;

export async function* throttle(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const begin = performance.now();
  for await (const piece of pieces) {
    yield piece;
    if (performance.now() - begin > atOnceMs) await pause(readIntervalMs);
  }
}
