// Ends a process in steps: it is asked, then SIGTERM, then SIGKILL, each only if the step before has not ended it.
import type { Clock } from "../agent/ports/clock.ts";

/** `ask`: false if it cannot be asked. `isGone`: polled until the step's time is over. */
export type EndSteps = {
  ask: () => boolean;
  signal: (signal: "SIGTERM" | "SIGKILL") => void;
  isGone: () => boolean | Promise<boolean>;
  clock: Pick<Clock, "monotonicMs" | "sleep">;
};

const politeMs = 10_000;
const termMs = 5_000;

/** How it ended; undefined if it did not. */
export async function endInSteps({
  ask,
  signal,
  isGone,
  clock,
}: EndSteps): Promise<"stopped" | "stopped by SIGTERM" | "killed" | undefined> {
  if (ask() && (await happensWithin(politeMs, clock, isGone))) return "stopped";
  signal("SIGTERM");
  if (await happensWithin(termMs, clock, isGone)) return "stopped by SIGTERM";
  signal("SIGKILL");
  return (await happensWithin(termMs, clock, isGone)) ? "killed" : undefined;
}

/** Polls until it is so; false if it was not within that time. */
export async function happensWithin(ms: number, clock: EndSteps["clock"], isSo: EndSteps["isGone"]): Promise<boolean> {
  for (const deadline = clock.monotonicMs() + ms; ; await clock.sleep(20)) {
    if (await isSo()) return true;
    if (clock.monotonicMs() >= deadline) return false;
  }
}
