// A part of a name that nobody else draws.
import type { Clock } from "../agent/clock.ts";

/** So many of a-z and 0-9. */
export function chance(clock: Pick<Clock, "random">, length: number): string {
  return Array.from({ length }, () => Math.floor(clock.random() * 36).toString(36)).join("");
}
