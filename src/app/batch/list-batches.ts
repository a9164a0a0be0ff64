// `tool batch --list`: the batches that this person has started, their results, and how to continue each.
import { batchListJson, batchListText, type ListedBatch } from "../../screen/batch/batch-list.ts";
import { holderWords } from "../holder-words.ts";
import { styleOf } from "../print/print-reply.ts";
import type { ExitCode, World } from "../world.ts";
import type { BatchFlags } from "./batch-flags.ts";
import { isRepositoryGone, knownBatches } from "./known-batches.ts";

export async function listBatches(world: World, { json }: Pick<BatchFlags, "json">): Promise<ExitCode> {
  const listed = await listedBatches(world);
  const text = json
    ? JSON.stringify({ ok: true, batches: listed.map(batchListJson) })
    : batchListText(listed, { style: styleOf(world), command: `${world.command} batch` });
  world.stdout.write(`${text}\n`);
  return 0;
}

/** Newest first. */
export async function listedBatches(world: World): Promise<ListedBatch[]> {
  const [disk, lock] = await Promise.all([world.edges.disk(), world.edges.lock()]);
  return (await knownBatches(world))
    .map((store): ListedBatch => {
      const holder = lock.holder(store.layout.claim);
      return { store, isGone: isRepositoryGone(disk, store.batch), ...(holder && { holder: holderWords(holder) }) };
    })
    .toSorted((a, b) => b.store.batch.created_at.localeCompare(a.store.batch.created_at));
}
