import { expect, it } from "vitest";
import type { Ending } from "../../../src/agent/events.ts";
import { type Pause, pauseAfter } from "../../../src/team/teammate/pause.ts";

it.each<[string, Ending, number, Pause | undefined]>([
  ["done: none", { kind: "done" }, 0, undefined],
  ["Esc", { kind: "aborted" }, 0, { reason: "interrupted" }],
  ["its own budget", { kind: "budget", limitUsd: 1, spentUsd: 1 }, 0, { reason: "its budget is spent" }],
  ["a fault of no class", { kind: "fault", reason: "Refused." }, 0, { reason: "Refused." }],
  ["a refused key", { kind: "fault", reason: "Key refused.", cause: "key_refused" }, 0, { reason: "Key refused." }],
  [
    "a quota",
    { kind: "fault", reason: "Spent.", cause: "quota" },
    1,
    { reason: "Spent. Retrying after 30 minutes.", again: { atMs: 1_800_007, afterMs: 1_800_000 } },
  ],
  ["an outage that does not end", { kind: "fault", reason: "No connection.", cause: "outage" }, 40, { reason: "No connection." }],
])("pauseAfter() %s", (_what, ending, triesMade, expected) => {
  expect(pauseAfter(ending, { triesMade, nowMs: 7 })).toEqual(expected);
});
