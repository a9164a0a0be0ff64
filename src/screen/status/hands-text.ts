// An agent's hands at a place, in words: short for status lines, and everything for tables.
import type { HandsFacts } from "../../places/hands-facts.ts";
import { byteSize, duration, plural } from "../../wording/figures.ts";

/** `at gpu, 12ms`, `at gpu, starting`, `at gpu, gone`. */
export function handsBrief({ place, state, round_trip_ms: trip }: HandsFacts): string {
  const how = state !== "working" ? state : trip === undefined ? "" : tripText(trip);
  return [`at ${place}`, how].filter(Boolean).join(", ");
}

/** `at gpu, 12ms, 2 restarts, 1.2 MB out, 340 kB in`. */
export function handsText(hands: HandsFacts): string {
  const { restarts, sent_bytes: sent, received_bytes: received } = hands;
  const again = restarts > 0 ? [plural(restarts, "restart")] : [];
  return [handsBrief(hands), ...again, `${byteSize(sent)} out`, `${byteSize(received)} in`].join(", ");
}

const tripText = (ms: number) => (ms < 10 ? `${ms.toFixed(1)}ms` : duration(ms));
