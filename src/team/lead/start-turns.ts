// When each of several teammates that are asked for at once begins to start. All of them beginning together share the processor, and the first one
// works no sooner than the last.
import type { Clock } from "../../agent/ports/clock.ts";

/** `atOnce`: as many begin without waiting; the next one when one of them has ended its start, or has taken long enough. */
export type StartTurnsSetup = { atOnce: number; clock: Pick<Clock, "sleep"> };

/** One that hangs, or waits for something else than the processor, keeps the next one no longer than this. */
const longestTurnMs = 300;

/** Begins starts in the order of the calls. A start that fails passes its turn on like any other. */
export function startTurns({ atOnce, clock }: StartTurnsSetup): <T>(start: () => Promise<T>) => Promise<T> {
  let underWay = 0;
  let free = () => {};
  let queue = Promise.resolve();
  const turn = async () => {
    if (underWay >= atOnce) {
      const waits = new AbortController();
      free = () => waits.abort();
      await clock.sleep(longestTurnMs, waits.signal);
      free = () => {};
    }
    underWay++;
  };
  return async (start) => {
    queue = queue.then(turn);
    await queue;
    try {
      return await start();
    } finally {
      underWay--;
      if (underWay < atOnce) free();
    }
  };
}
