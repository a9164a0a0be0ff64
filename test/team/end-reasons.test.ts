import { expect, it } from "vitest";
import { endWords, leadGoneReason, saysOwnersEnd, stoppedReason } from "../../src/team/end-reasons.ts";

it.each([
  [leadGoneReason, true],
  [stoppedReason("ada"), true],
  [endWords("ada", "stopped"), true],
  [`${endWords("ada", "its process died")}; files touched: a.ts`, true],
  [endWords("bo", "its process died"), false],
  ["needs an answer from bo", false],
  [undefined, false],
])("%j says that ada has ended: %s", (reason, says) => {
  expect(saysOwnersEnd(reason, "ada")).toBe(says);
});
