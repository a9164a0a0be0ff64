// A random part for a name that must be unique.
import type { Clock } from "../agent/ports/clock.ts";

/** `length` characters from a-z and 0-9. */
export function chance(clock: Pick<Clock, "random">, length: number): string {
  return Array.from({ length }, () => Math.floor(clock.random() * 36).toString(36)).join("");
}
