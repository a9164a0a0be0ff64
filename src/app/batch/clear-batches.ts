// `tool batch --gc`: removes what finished batches have left, where nothing is lost by it, and says what stays and why.
import { type BatchStore, forgetBatch } from "../../batch/batch-record.ts";
import { clearAway } from "../../batch/clear-away.ts";
import { isSettled } from "../../batch/unit-record.ts";
import { count } from "../../screen/figures.ts";
import { visibleLine } from "../../screen/visible-text.ts";
import { holderWords } from "../holder-words.ts";
import type { ExitCode, World } from "../world.ts";
import type { BatchFlags } from "./batch-flags.ts";
import { knownBatches } from "./known-batches.ts";
import { openRepository } from "./open-repository.ts";

/** `kept`: why its record stays; empty where it is gone. */
type Cleared = { id: string; removed: string[]; kept: string[] };

export async function clearBatches(world: World, { json }: Pick<BatchFlags, "json">): Promise<ExitCode> {
  const cleared: Cleared[] = [];
  for (const store of await knownBatches(world)) cleared.push({ id: store.batch.id, ...(await clearOne(world, store)) });
  const text = json ? JSON.stringify({ batches: cleared }) : cleared.map(lineOf).join("\n") || "There are no batches.";
  world.stdout.write(`${text}\n`);
  return 0;
}

async function clearOne(world: World, store: BatchStore): Promise<Omit<Cleared, "id">> {
  const { batch, layout } = store;
  if (store.units().some((record) => !isSettled(record)))
    return { removed: [], kept: [`It has units left to do: ${world.command} batch --resume ${batch.id}`] };
  const [disk, lock] = await Promise.all([world.edges.disk(), world.edges.lock()]);
  const claim = lock.claimForLife(layout.claim);
  if (!claim.ok) return { removed: [], kept: [`It runs, in ${holderWords(claim.holder)}.`] };
  try {
    if ((await world.edges.repositoryFacts(batch.root)).kind === "unusable")
      return {
        removed: [],
        kept: [`Its repository cannot be looked at: ${batch.root}. Where it is gone for good, remove ${layout.folder}`],
      };
    const cleared = await clearAway(store, await openRepository(world, batch));
    if (cleared.kept.length === 0) forgetBatch(disk, store);
    return cleared;
  } finally {
    claim.release();
  }
}

function lineOf({ id, removed, kept }: Cleared): string {
  const branches = removed.length > 0 ? `${count(removed.length, "branch").replace("branchs", "branches")} removed` : "no branch removed";
  return [`${id}: ${branches}${kept.length === 0 ? ", and its record" : ""}`, ...kept.map((line) => `  ${visibleLine(line)}`)].join("\n");
}
