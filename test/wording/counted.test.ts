import { expect, it } from "vitest";
import { counted } from "../../src/wording/counted.ts";

it("says equal lines once, with how often, in the order of the first", () => {
  expect(counted(["b", "a", "b", "b"])).toEqual(["b (3 times)", "a"]);
});
