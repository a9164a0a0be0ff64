import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { tryBwrap } from "../../src/edge/sandbox-bwrap.ts";
import { eventually } from "../scratch.ts";
import { type EscapeWorld, escapeWorld, survivors } from "./escape-world.ts";
import { escapes } from "./escapes.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 30_000 });

const bwrap = await tryBwrap();
if (!bwrap.ok) console.warn(`Skipped: bubblewrap does not run here: ${bwrap.why}`);

describe.skipIf(!bwrap.ok)("an escaping program, allowed to run", () => {
  let world: EscapeWorld;
  beforeAll(async () => {
    world = await escapeWorld();
  });
  afterAll(() => world.close());

  const has = Object.fromEntries(["python3", "perl", "node"].map((name) => [name, spawnSync(name, ["--version"]).status === 0]));
  const runnable = escapes.filter(([, , needs]) => needs === undefined || has[needs]);

  it("is one of at least 100", () => {
    expect(runnable.length).toBeGreaterThanOrEqual(100);
  });

  it.each(runnable)("finds no way: %s", async (_, program) => {
    const before = world.snapshot();
    // A program that found itself outside would be let loose on this machine.
    const { output, end } = await world.run(`[ -e "$HOST_TMP" ] && exit 99\n${program}`);
    expect(end).not.toEqual({ kind: "exited", code: 99 });
    expect(output.replaceAll(program, "")).not.toContain(world.canary);
    expect(output).not.toContain("REACHED\n");
    expect(world.snapshot()).toEqual(before);
    expect(await eventually(() => survivors(world).length === 0)).toBe(true);
    expect([world.connections(), world.sandbox.state()]).toEqual([0, { kind: "active" }]);
  });
});
