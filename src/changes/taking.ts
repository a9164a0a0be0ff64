// A take on disk: what is to be taken, how far it has come, and which write of the working tree has begun. It is written before each act, so that
// the same command goes on after a kill. Pure: take.ts carries it out.
import { z } from "zod";

const takeModes = ["merge", "commits", "edits"] as const;
export type TakeMode = (typeof takeModes)[number];

const authorSchema = z.object({ name: z.string(), email: z.string(), date: z.string() });

/**
 * One three-way merge into the branch. `base`: the tree that it is compared with; absent: git finds it. `mergesTip`: the commit gets `tip` as its
 * second parent. All commits are frozen when the take begins: whoever works on goes on without it.
 */
const stepSchema = z.object({
  id: z.string(),
  tip: z.string(),
  tree: z.string(),
  base: z.string().optional(),
  mergesTip: z.boolean(),
  message: z.string(),
  author: authorSchema.optional(),
});
export type Step = z.infer<typeof stepSchema>;

/** As `git ls-files --stage` prints an unmerged entry. */
const stageSchema = z.object({ mode: z.string(), object: z.string(), stage: z.number(), path: z.string() });
export type Stage = z.infer<typeof stageSchema>;

/**
 * One write of the working tree, from the tree `old` to `tree`, while the branch goes from `head` to `commit`. `stages`: entries of the index that
 * are in conflict afterwards. `settled`: conflicted files that the person has resolved, as they are. `given_up`: files whose content is
 * overwritten. `keepsIndex`: nothing is staged.
 */
const moveSchema = z.object({
  ref: z.string().optional(),
  head: z.string(),
  commit: z.string(),
  old: z.string(),
  tree: z.string(),
  stages: z.array(stageSchema),
  settled: z.array(z.string()),
  given_up: z.array(z.string()),
  keepsIndex: z.boolean(),
});
export type Move = z.infer<typeof moveSchema>;

/** `marked`: it has both versions between markers; otherwise the person's own version. */
const conflictSchema = z.object({ path: z.string(), marked: z.boolean() });
export type ConflictFile = z.infer<typeof conflictSchema>;

const stateSchema = z.discriminatedUnion("kind", [
  /** `next`: the step that comes after this write. `conflict`: what the write leaves to the person, in step `next`. `back`: it undoes the take. */
  z.object({
    kind: z.literal("writing"),
    move: moveSchema,
    next: z.number(),
    conflict: z.array(conflictSchema).optional(),
    back: z.literal(true).optional(),
  }),
  z.object({ kind: z.literal("conflict"), at: z.number(), files: z.array(conflictSchema), tree: z.string() }),
]);

export const takingSchema = z.object({
  version: z.literal(1),
  as: z.enum(takeModes),
  /** Whole sets that are taken completely: their trees, to be known as taken. */
  whole: z.record(z.string(), z.string()),
  steps: z.array(stepSchema),
  /** The branch, unless HEAD is detached, and the commit at the beginning. */
  ref: z.string().optional(),
  start: z.string(),
  /** The commit that the branch has now, as far as this take has moved it. */
  head: z.string(),
  /** The tree of files that was there at the beginning, and the files that were written since: what `edits` is undone with. */
  began: z.string(),
  touched: z.array(z.string()),
  state: stateSchema,
});
export type Taking = z.infer<typeof takingSchema>;
export type Writing = Extract<Taking["state"], { kind: "writing" }>;

/** The ids in their order, each once. */
export const idsOf = (steps: readonly Pick<Step, "id">[]): string[] => [...new Set(steps.map(({ id }) => id))];

/** The sets of which every step is done before `next`. */
export function doneBefore(steps: readonly Step[], next: number): string[] {
  const open = new Set(idsOf(steps.slice(next)));
  return idsOf(steps.slice(0, next)).filter((id) => !open.has(id));
}

/** The take after its write; undefined when it is over. */
export function afterWrite(taking: Taking, { move, next, conflict, back }: Writing): Taking | undefined {
  if (back || (conflict === undefined && next >= taking.steps.length)) return undefined;
  if (conflict === undefined) throw new Error("A take has stopped without a conflict");
  return { ...taking, head: move.commit, state: { kind: "conflict", at: next, files: conflict, tree: move.tree } };
}

/** The exact command that undoes a finished take; the person's other changes stay. `git`: with the folder, as a shell reads it. */
export function wayBack(
  { as, start, began }: Pick<Taking, "as" | "start" | "began">,
  { git, tree }: { git: string; tree: string },
): string {
  return as === "edits"
    ? `${git} diff --binary ${began.slice(0, 12)} ${tree.slice(0, 12)} | ${git} apply --reverse`
    : `${git} reset --keep ${start.slice(0, 12)}`;
}
