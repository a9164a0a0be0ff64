// The short form of `npm run chaos`: a small team of the built program under one fault of each kind that leaves its lead alive.
import { expect, it } from "vitest";
import type { FaultKind } from "../chaos/faults.ts";
import { runTeam } from "../chaos/run-team.ts";

const kinds = ["teammate", "disk_error", "shell", "suspend", "api"] as const satisfies FaultKind[];

it("a team under faults completes every task once, shows every message once, and leaves no process", async () => {
  const order = {
    seed: 7,
    teammates: 3,
    tasks: 12,
    messages: 12,
    faults: kinds.length,
    kinds,
    display: "in-process",
    withinMs: 120_000,
  } as const;
  const { verdict, hits, folder } = await runTeam(order);
  expect({ violations: verdict.violations, folder }).toEqual({ violations: [], folder: undefined });
  expect(verdict.counted).toMatchObject({ tasks: 12, completions: 12 });
  expect(hits.length).toBeGreaterThan(0);
});
