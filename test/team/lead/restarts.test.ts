import { expect, it } from "vitest";
import { createRestarts } from "../../../src/team/lead/restarts.ts";

it("returns each planned restart once, when it is due, and remembers when it was planned", () => {
  let nowMs = 10;
  const restarts = createRestarts({ monotonicMs: () => nowMs });
  const swept = Promise.resolve();
  restarts.plan("ada", { afterMs: 0, swept });
  restarts.plan("bo", { afterMs: 5, swept });
  restarts.plan("cy", { afterMs: 5, swept });
  expect([restarts.planned(), restarts.takeDue().map(({ name }) => name), restarts.planned()]).toEqual([
    ["ada", "bo", "cy"],
    ["ada"],
    ["bo", "cy"],
  ]);
  expect([restarts.cancel("bo")?.dueMs, restarts.cancel("bo")]).toEqual([15, undefined]);
  nowMs = 15;
  expect([restarts.takeDue().map(({ name }) => name), restarts.takeDue()]).toEqual([["cy"], []]);
  restarts.plan("ada", { afterMs: 0, swept });
  expect([restarts.made("ada"), restarts.made("dan")]).toEqual([[10, 15], []]);
});
