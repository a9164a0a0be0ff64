// Work that SIGINT, SIGTERM and SIGHUP interrupt.
import type { World } from "./world.ts";

/** These signals abort `ending` until the work has ended, which decides itself what an interruption means. */
export async function untilSignal<T>({ onSignal }: Pick<World, "onSignal">, work: (ending: AbortSignal) => Promise<T>): Promise<T> {
  const ending = new AbortController();
  const stop = onSignal(() => ending.abort());
  try {
    return await work(ending.signal);
  } finally {
    stop();
  }
}
