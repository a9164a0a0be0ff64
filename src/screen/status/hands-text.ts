// An agent's hands at a place, in words: short for status lines, and everything for tables.
import type { HandsFacts } from "../../places/hands-facts.ts";
import { byteSize, duration, plural } from "../../wording/figures.ts";

/** `at gpu, 12ms`, `at gpu, starting`, `at gpu, gone, 1 restart`. */
export function handsBrief({ place, state, round_trip_ms: trip, restarts }: HandsFacts): string {
  const how = state !== "working" ? state : trip === undefined ? "" : tripText(trip);
  return [`at ${place}`, how, restarts > 0 ? plural(restarts, "restart") : ""].filter(Boolean).join(", ");
}

/** `at gpu, 12ms, 2 restarts, 1.2 MB out, 340 kB in`. */
export function handsText(hands: HandsFacts): string {
  return [handsBrief(hands), `${byteSize(hands.sent_bytes)} out`, `${byteSize(hands.received_bytes)} in`].join(", ");
}

export type WhereHandsWere = { place?: string | undefined; hands?: HandsFacts | undefined; left?: readonly string[] | undefined };

/**
 * Where work is done that may go from place to place, and where hands died under it: `at gpu, 12ms, 1 restart`, `here, hands died at gpu`.
 * `left`: these places, in order. Empty for work that was never anywhere else.
 */
export function whereabouts({ place, hands, left = [] }: WhereHandsWere, words: (hands: HandsFacts) => string): string {
  if (place !== undefined) return hands?.place === place ? words(hands) : `at ${place}`;
  return left.length > 0 ? `here, hands died at ${[...new Set(left)].join(" and ")}` : "";
}

const tripText = (ms: number) => (ms < 1 ? "<1ms" : duration(ms));
