import { describe, expect, it } from "vitest";
import { denyInWrappers } from "./deny-wrappers.ts";
import { compareWithBash } from "./shell-oracle.ts";

const seed = 1 + Math.floor(Date.now() % 1_000_000);

describe("generated commands", () => {
  it("run no program in real bash that the analysis had not named", { timeout: 120_000 }, async () => {
    const { commands, unnamed, crashes } = await compareWithBash({ seed, count: 200 });
    expect({ commands, unnamed, crashes }, `seed ${seed}`).toEqual({ commands: 200, unnamed: [], crashes: [] });
  });

  it("never get a denied program allowed by a wrapper, a quoting or a nesting", () => {
    const { commands, allowed } = denyInWrappers({ seed, count: 1000, pairs: false });
    expect(commands).toBeGreaterThan(4000);
    expect(allowed, `seed ${seed}`).toEqual([]);
  });
});
