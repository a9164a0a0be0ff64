// Opening an untrusted repository with the real program: a sample here, all of them with `npm run fuzz -- hostile`.
import { expect, it } from "vitest";
import { openHostile } from "../fuzz/hostile.ts";

it("before trust nothing is started, reached or changed, on a screen and headless", async () => {
  const seed = Number(process.env["SEED"] ?? 1);
  console.log(`seed ${seed}`);
  const { repositories, opened, asked, problems } = await openHostile({ seed, count: 10 });
  expect({ repositories, problems }).toEqual({ repositories: 10, problems: [] });
  expect([opened >= 10, asked > 0]).toEqual([true, true]);
});
