// What is shown of hands at a place.
import { expect, it } from "vitest";
import { handsBrief, handsText } from "../../src/screen/status/hands-text.ts";

const hands = { place: "gpu", state: "working", restarts: 0, sent_bytes: 950, received_bytes: 8_140 } as const;

it("handsText() names the place, the round trip, restarts and bytes, and handsBrief() what has room beside other things", () => {
  expect(handsText(hands)).toBe("at gpu, 950 B out, 8.1 kB in");
  const busy = { ...hands, round_trip_ms: 4, restarts: 2, sent_bytes: 1_250_000, received_bytes: 340_100 };
  expect([handsText(busy), handsBrief(busy)]).toEqual(["at gpu, 4ms, 2 restarts, 1.3 MB out, 340 kB in", "at gpu, 4ms, 2 restarts"]);
  expect(handsBrief({ ...hands, round_trip_ms: 0 })).toBe("at gpu, <1ms");
  expect(handsBrief({ ...busy, state: "gone" })).toBe("at gpu, gone, 2 restarts");
});
