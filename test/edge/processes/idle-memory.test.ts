import { getHeapSpaceStatistics } from "node:v8";
import { expect, it } from "vitest";
import { idleMemory } from "../../../src/edge/processes/idle-memory.ts";
import { eventually } from "../../scratch.ts";

const youngBytes = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_size ?? 0;

/** Objects that live for a while, so that V8 makes the young generation larger. */
function work(): number {
  let count = 0;
  for (let round = 0; round < 10; round++) count += Array.from({ length: 20_000 }, (_, at) => ({ at })).length;
  return count;
}

it("gives back what a busy process needed once it is idle, and not while it is busy", async () => {
  const memory = idleMemory(300);
  expect(work()).toBe(200_000);
  const grown = youngBytes();
  expect(grown).toBeGreaterThan(4 * 2 ** 20);
  memory.idle();
  memory.busy();
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(youngBytes()).toBeGreaterThanOrEqual(grown);
  memory.idle();
  await eventually(() => youngBytes() < grown / 2);
});
