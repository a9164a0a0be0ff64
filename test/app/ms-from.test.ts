import { expect, it } from "vitest";
import { msFrom } from "../../src/app/ms-from.ts";

it("msFrom() reads seconds, or returns the default", () => {
  expect(["2", "0", "0.5", undefined, "", "soon", "-1"].map((value) => msFrom(value, 7))).toEqual([2_000, 0, 500, 7, 7, 7, 7]);
});
