// The files of a batch, on a real disk.
import { existsSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { createStore, forgetBatch } from "../../src/batch/batch-record.ts";
import { batchLayout } from "../../src/batch/layout.ts";
import { planText } from "../../src/batch/plan/plan-file.ts";
import { ports } from "../board/temporary-team.ts";
import { scratchFolder } from "../scratch.ts";
import { batchRecord, planOf, recordOf } from "./plans.ts";

/** A batch of five units that an earlier process claimed and this one has taken over. */
function claimedBatch() {
  const { disk, lock } = ports;
  const layout = batchLayout(scratchFolder(), "7");
  const plan = planOf(5);
  const units = plan.units.map(({ id }) => recordOf(id));
  const store = createStore(disk, layout, { batch: batchRecord(), planText: planText(plan, { instruction: "", head: "" }), units });
  disk.append(layout.failures, "{}\n");
  disk.makeFolder(layout.claim);
  const claimed = () => {
    const claim = lock.claimForLife(layout.claim);
    if (!claim.ok) throw new Error("somebody has the claim");
    return claim;
  };
  claimed().release();
  return { disk, layout, store, claim: claimed() };
}

it("forgetBatch() removes all files and folders of a batch, its claim included", () => {
  const { disk, layout, store, claim } = claimedBatch();
  forgetBatch(disk, store);
  claim.release();
  expect(existsSync(layout.folder)).toBe(false);
});

it("forgetBatch() keeps a file that is not the batch's, and its folder", () => {
  const { disk, layout, store, claim } = claimedBatch();
  writeFileSync(`${layout.units}/notes.txt`, "");
  forgetBatch(disk, store);
  claim.release();
  expect([disk.list(layout.folder), disk.list(layout.units)]).toEqual([["units"], ["notes.txt"]]);
});
