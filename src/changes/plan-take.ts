// What taking means, step by step: which three-way merges bring the sets in, in their order. Everything is frozen here, so that who works on does
// not change a take that has begun.
import type { Seen } from "./change-set.ts";
import type { Answer, ChangesRepository } from "./repository.ts";
import type { Step, TakeMode } from "./taking.ts";

/** `paths`: only these files and folders, from the root; empty: everything. */
export type TakeOrder = { seen: Seen[]; as: TakeMode; paths: string[] };

type Git = Pick<ChangesRepository, "freeze" | "treeOf" | "commits" | "only">;

/** `whole`: the trees of the sets that are taken completely. */
export type Plan = { steps: Step[]; whole: Record<string, string> };

export async function planTake(git: Git, order: TakeOrder, ours: string): Promise<Answer<Plan>> {
  const { as, paths } = order;
  const steps: Step[] = [];
  const whole: Plan["whole"] = {};
  for (const seen of order.seen) {
    const { id } = seen.set;
    const frozen = await git.freeze(seen);
    if (!frozen.ok) return { ok: false, reason: `Cannot take ${id}: ${frozen.reason}` };
    const tree = frozen.value === seen.tip ? seen.tree : await git.treeOf(frozen.value);
    const planned = await stepsOf(git, { seen, tip: frozen.value, tree, ours, as, paths });
    if (!planned.ok) return { ok: false, reason: `Cannot take ${id}: ${planned.reason}` };
    steps.push(...planned.value);
    if (paths.length === 0) whole[id] = tree;
  }
  return { ok: true, value: { steps, whole } };
}

type One = { seen: Seen; tip: string; tree: string; ours: string } & Pick<TakeOrder, "as" | "paths">;

async function stepsOf(git: Git, { seen: { set }, tip, tree, ours, as, paths }: One): Promise<Answer<Step[]>> {
  const { id, what, content } = set;
  const one = { id, tip, message: `${what}\n\nTaken from ${id}`, mergesTip: false };
  if (paths.length > 0) {
    const part = await git.only({ ours, tip, paths, ...(content.kind === "range" && { from: content.from }) });
    return part.ok ? { ok: true, value: [{ ...one, ...part.value }] } : part;
  }
  if (content.kind === "range") return { ok: true, value: [{ ...one, tree, base: await git.treeOf(content.from) }] };
  if (as === "commits") {
    const commits = await git.commits(content.from, tip);
    return {
      ok: true,
      value: commits.map((each) => ({
        ...one,
        tip: each.id,
        tree: each.tree,
        base: each.base,
        message: each.message,
        author: each.author,
      })),
    };
  }
  return { ok: true, value: [{ ...one, tree, mergesTip: as === "merge", message: `Merge ${id}: ${what}` }] };
}
