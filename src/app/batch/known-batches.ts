// The batches that this person has started: those that can continue, and those that run in a folder.
import { type BatchRecord, type BatchStore, openStore } from "../../batch/batch-record.ts";
import { batchesFolder, batchLayout } from "../../batch/layout.ts";
import { isSettled } from "../../batch/unit-record.ts";
import type { BoardDisk } from "../../board/disk.ts";
import type { World } from "../world.ts";

/** Restricts ids to names that cannot lead to another folder. */
export const isBatchId = (id: string): boolean => /^[\w-]+$/.test(id);

/** The readable batches; `--resume` reports what is wrong with another one. A plan that was never approved is not included. */
export async function knownBatches({ edges, configDir }: World): Promise<BatchStore[]> {
  const disk = await edges.disk();
  return disk.list(batchesFolder(configDir)).flatMap((id) => {
    try {
      return isBatchId(id) ? [openStore(disk, batchLayout(configDir, id))] : [];
    } catch {
      return []; // a plan that was never approved, or damaged files
    }
  });
}

/** A batch cannot continue without its folder, for instance after a demo. */
export const isRepositoryGone = (disk: Pick<BoardDisk, "size">, { root }: Pick<BatchRecord, "root">): boolean =>
  disk.size(root) === undefined;

const isUnfinished = (store: BatchStore) => store.units().some((record) => !isSettled(record));

/** The batches with units left to do and with a repository. */
export async function unfinishedBatches(world: World): Promise<BatchStore[]> {
  const disk = await world.edges.disk();
  return (await knownBatches(world)).filter((store) => isUnfinished(store) && !isRepositoryGone(disk, store.batch));
}

export type BatchAtWork = { store: BatchStore; holder: string };

/** The running batches of the repository that contains this folder. */
export async function batchesAtWork(world: World): Promise<BatchAtWork[]> {
  const [lock, { holderWords }] = await Promise.all([world.edges.lock(), import("../holder-words.ts")]);
  return (await unfinishedBatches(world)).flatMap((store) => {
    const { root } = store.batch;
    if (world.cwd !== root && !world.cwd.startsWith(`${root}/`)) return [];
    const holder = lock.holder(store.layout.claim);
    return holder ? [{ store, holder: holderWords(holder) }] : [];
  });
}
