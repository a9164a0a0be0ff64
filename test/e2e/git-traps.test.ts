// Repositories that were made for the git that we start, with the real program: a sample here, all of them with `npm run fuzz -- git-traps`.
import { expect, it } from "vitest";
import { runTraps } from "../fuzz/git-trap-rows.ts";

it("no repository makes our git start a program, connect, write elsewhere, show a secret or wait for ever", async () => {
  const seed = Number(process.env["SEED"] ?? 1);
  console.log(`seed ${seed}`);
  const { results } = await runTraps({ seed, count: 16 });
  const nothing = { processes: [], connections: [], writes: [], other: [] };
  expect(results).toEqual(results.map(({ name }) => ({ name, ...nothing })));
  expect(results).toHaveLength(16);
});
