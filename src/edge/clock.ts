// The system clock, timers and randomness.
import type { Clock } from "../agent/ports/clock.ts";

export const clock: Clock = {
  now: () => new Date(),
  monotonicMs() {
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1000 + Math.floor(nanoseconds / 1_000_000);
  },
  random: Math.random,
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal?.addEventListener("abort", end, { once: true });
    }),
};
