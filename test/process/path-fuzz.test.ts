// Short runs of two fuzzers; `npm run fuzz -- paths link-swap` runs them in full.
import { expect, it } from "vitest";
import { ripgrepHere } from "../../src/edge/disk/ripgrep.ts";
import { linkSwap } from "../fuzz/link-swap.ts";
import { pathFuzz } from "../fuzz/paths.ts";

const seed = Date.now() % 1_000_000;

it(`writes nothing outside and reads nothing denied on 1,500 generated paths (seed ${seed})`, async () => {
  const { allowed, done, ...findings } = await pathFuzz({ seed, count: 1500 });
  expect(findings).toEqual({ paths: 1500, leaks: [], writes: [], faults: [] });
  // With fewer runs the test would prove nothing.
  expect([allowed > 250, done > 50]).toEqual([true, true]);
});

it.each([false, true])(`lets no byte out or in while links are swapped (seed ${seed}, ripgrep %s)`, async (ripgrep) => {
  if (ripgrep && !(await ripgrepHere())) return;
  const found = await linkSwap({ seed, count: 150, swappers: 3, ripgrep });
  expect({ leaks: found.leaks, outside: found.outside, tries: found.tries }).toEqual({ leaks: 0, outside: [], tries: 150 });
  expect([found.written > 5, found.read > 5]).toEqual([true, true]);
});
