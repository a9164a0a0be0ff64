// What a batch is estimated from: units that have run in this repository with the same model, and what making its plan has taken.
import type { Basis, Used } from "../../batch/estimate.ts";
import { isSettled } from "../../batch/unit-record.ts";
import type { World } from "../world.ts";
import { knownBatches } from "./known-batches.ts";

/** The newest say most about the next. */
const mostUnits = 40;

export async function estimateBasis(
  world: World,
  { root, model, planning }: { root: string; model: string; planning: Used | undefined },
): Promise<Basis> {
  const here = (await knownBatches(world)).filter(({ batch }) => batch.root === root && batch.model === model);
  const units = here
    .toSorted((one, other) => one.batch.created_at.localeCompare(other.batch.created_at))
    .flatMap((store) => store.units())
    .filter((record) => record.turns > 0 && isSettled(record))
    .map(({ turns, tokens, cost_usd: costUsd }) => ({ turns, tokens, costUsd }));
  return { units: units.slice(-mostUnits), planning, model };
}
