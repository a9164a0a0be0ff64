// The change sets of batches: one for each unit that has begun.

import { needsAgent } from "../../batch/unit-record.ts";
import type { ChangeSet } from "../../changes/change-set.ts";
import { knownBatches } from "../batch/known-batches.ts";
import type { World } from "../world.ts";

export async function batchSets(world: World, root: string): Promise<ChangeSet[]> {
  const lock = await world.edges.lock();
  const here = (await knownBatches(world)).filter(({ batch }) => batch.root === root);
  return here.flatMap(({ batch, plan, unit, layout }) => {
    const isRunning = lock.holder(layout.claim) !== undefined;
    return plan.units.flatMap(({ id, title }): ChangeSet[] => {
      const record = unit(id);
      const { branch, folder, from, tests } = record;
      if (from === undefined) return [];
      return [
        {
          id: `${batch.id}/${id}`,
          what: title,
          by: "",
          evidence: tests === undefined ? { words: "no test was run", failed: false } : { words: tests, failed: tests.startsWith("✗") },
          atWork: isRunning && needsAgent(record),
          content: { kind: "branch", branch, from, folder },
        },
      ];
    });
  });
}
