import { expect, it } from "vitest";
import { fuzzApi } from "./api.ts";
import { kinds } from "./api-kinds.ts";

it("no fault of the provider runs a tool call twice or from half a reply, and no run ends silently", { timeout: 120_000 }, async () => {
  expect(Object.keys(kinds).length).toBeGreaterThanOrEqual(40);
  const seed = 1 + Math.floor(Date.now() % 1_000_000);
  const { runs, problems } = await fuzzApi({ seeds: [seed, seed + 1] });
  expect(runs).toBe(2 * Object.keys(kinds).length);
  expect(problems, `seed ${seed}`).toEqual([]);
});
