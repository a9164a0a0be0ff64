// `tool batch --gc`: removes what finished batches left behind, as far as nothing is lost, and reports what stays and why.
import { type BatchStore, forgetBatch } from "../../batch/batch-record.ts";
import { clearAway } from "../../batch/clear-away.ts";
import { worktreesFolder } from "../../batch/layout.ts";
import { isSettled } from "../../batch/unit-record.ts";
import { visibleLine } from "../../screen/visible-text.ts";
import { plural } from "../../wording/figures.ts";
import { shellWord } from "../../wording/shell-word.ts";
import { holderWords } from "../holder-words.ts";
import type { ExitCode, World } from "../world.ts";
import type { BatchFlags } from "./batch-flags.ts";
import { isRepositoryGone, knownBatches } from "./known-batches.ts";
import { openRepository } from "./open-repository.ts";

/** `removed`: branches. `kept`: why its record stays; empty if it is gone. */
type Cleared = { id: string; removed: string[]; kept: string[]; repository: "there" | "gone" };

export async function clearBatches(world: World, { json }: Pick<BatchFlags, "json">): Promise<ExitCode> {
  const cleared: Cleared[] = [];
  for (const store of await knownBatches(world)) cleared.push({ id: store.batch.id, ...(await clearOne(world, store)) });
  const text = json ? JSON.stringify({ ok: true, batches: cleared }) : cleared.map(lineOf).join("\n") || "There are no batches.";
  world.stdout.write(`${text}\n`);
  return 0;
}

async function clearOne(world: World, store: BatchStore): Promise<Omit<Cleared, "id">> {
  const { batch, layout } = store;
  const [disk, lock] = await Promise.all([world.edges.disk(), world.edges.lock()]);
  const kept = (reason: string) => ({ removed: [], kept: [reason], repository: "there" as const });
  const isOpen = store.units().some((record) => !isSettled(record));
  const trees = worktreesFolder(batch.root, batch.id);
  if (isRepositoryGone(disk, batch) && (isOpen || disk.size(trees) !== undefined)) {
    const left = isOpen ? "units left to do" : `worktrees in ${trees}`;
    return {
      ...kept(`Its repository ${batch.root} is gone, and it has ${left}. If it is gone for good, remove ${layout.folder}`),
      repository: "gone",
    };
  }
  if (isOpen) return kept(`It has units left to do: ${world.command} batch --resume ${batch.id}`);
  const claim = lock.claimForLife(layout.claim);
  if (!claim.ok) return kept(`It runs, in ${holderWords(claim.holder)}.`);
  try {
    if (isRepositoryGone(disk, batch)) {
      forgetBatch(disk, store);
      return { removed: [], kept: [], repository: "gone" };
    }
    const facts = await world.edges.usableRepository(batch.root);
    if (facts.kind === "unusable") return kept(facts.reason);
    const cleared = await clearAway(store, await openRepository(world, batch));
    const stays = [...cleared.kept, ...unsavedText(cleared.unsaved, batch.root)];
    if (stays.length === 0) forgetBatch(disk, store);
    return { removed: cleared.removed, kept: stays, repository: "there" };
  } finally {
    claim.release();
  }
}

function unsavedText(branches: string[], root: string): string[] {
  if (branches.length === 0) return [];
  const have = branches.length === 1 ? "A branch has commits that are" : `${branches.length} branches have commits that are`;
  return [`${have} neither pushed nor in HEAD. To delete all the same: git -C ${shellWord(root)} branch -D ${branches.join(" ")}`];
}

function lineOf({ id, removed, kept, repository }: Cleared): string {
  if (repository === "gone" && kept.length === 0) return `${id}: its record removed, since its repository is gone`;
  const branches = removed.length > 0 ? `${plural(removed.length, "branch", "branches")} removed` : "no branch removed";
  return [`${id}: ${branches}${kept.length === 0 ? ", and its record" : ""}`, ...kept.map((line) => `  ${visibleLine(line)}`)].join("\n");
}
