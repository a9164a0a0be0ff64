import { expect, it } from "vitest";
import { createRejoin } from "../../../src/team/lead/rejoin.ts";
import type { LivingTeammate } from "../../../src/team/resume/plan.ts";
import { handle } from "./calm-display.ts";

/** The actions, in order. `startsAs`: the result of each start. */
function rejoining(startsAs: { ok: true } | { ok: false; reason: string } = { ok: true }) {
  const done: string[] = [];
  const rejoin = createRejoin(
    { processes: { sweep: async (owner) => void done.push(`sweep ${owner}`) }, display: { takeOver: () => done.push("take over") } },
    {
      supervisor: {
        start: async (name) => {
          done.push(`start ${name}`);
          return startsAs;
        },
        adopt: (name) => done.push(`adopt ${name}`),
        failed: async (name) => void done.push(`failed ${name}`),
      },
      places: { learn: () => {} },
      sessions: new Map(),
      resumedSince: new Map(),
    },
  );
  const run = async (living: () => LivingTeammate | undefined) => {
    const result = await rejoin({ name: "ada", session: "s1", living, since: "" });
    return [...done, result.ok];
  };
  return run;
}

const living: LivingTeammate = { process: { pid: 1, start: "1" }, nonce: "n", handle };

it("one that lives is taken over with its place, before anybody is opened", async () => {
  expect(await rejoining()(() => living)).toEqual(["take over", "adopt ada", true]);
});

it("one that has ended is started, after what it left was ended", async () => {
  expect(await rejoining()(() => undefined)).toEqual(["sweep s1:ada", "start ada", true]);
});

it("one that its former lead started in its last moment is found when it cannot be started", async () => {
  const found = [undefined, living];
  expect(await rejoining({ ok: false, reason: "it runs" })(() => found.shift())).toEqual([
    "sweep s1:ada",
    "start ada",
    "take over",
    "adopt ada",
    true,
  ]);
});

it("one that cannot be started counts as crashed", async () => {
  expect(await rejoining({ ok: false, reason: "no room" })(() => undefined)).toEqual(["sweep s1:ada", "start ada", "failed ada", false]);
});
