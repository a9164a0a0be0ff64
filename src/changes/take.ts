// Carries a take out: all merges that succeed are made without a working tree, and then the files change once, with the branch. A conflict stops it
// with the files that the person resolves. Each write is recorded before it begins.
import { planTake, type TakeOrder } from "./plan-take.ts";
import type { Answer, ChangesRepository, Merged, Written } from "./repository.ts";
import { afterWrite, type ConflictFile, doneBefore, idsOf, type Move, type Step, type Taking, type Writing } from "./taking.ts";

/** Durable before it returns. */
export type TakingStore = {
  read(): Taking | undefined;
  write(taking: Taking): void;
  clear(): void;
  /** These sets are taken, with these trees. */
  remember(trees: Record<string, string>): void;
};

export type TakePorts = { git: ChangesRepository; store: TakingStore };

/** `nothing`: sets of which everything was there already. `tree`: what was written last, for the way back. `reason` is a sentence without its full stop. */
export type TakeEnd =
  | { kind: "taken"; taking: Taking; ids: string[]; nothing: string[]; tree: string }
  | { kind: "conflict"; id: string; files: ConflictFile[]; done: string[]; rest: string[] }
  | { kind: "undone"; start: string }
  | { kind: "refused"; reason: string };

const refused = (reason: string): TakeEnd => ({ kind: "refused", reason });

/** Nothing is changed if it is refused. */
export async function take({ git, store }: TakePorts, order: TakeOrder): Promise<TakeEnd> {
  const head = await git.head();
  const began = order.as === "edits" ? await git.filesNow([]) : ({ ok: true, value: head.tree } as const);
  if (!began.ok) return refused(began.reason);
  const plan = await planTake(git, order, head.commit);
  if (!plan.ok) return refused(plan.reason);
  const ours = await committed(git, { commit: head.commit, tree: head.tree }, began.value);
  if (!ours.ok) return refused(ours.reason);
  const taking: Begun = {
    version: 1,
    as: order.as,
    ...plan.value,
    ...(head.ref !== undefined && { ref: head.ref }),
    start: head.commit,
    head: head.commit,
    began: began.value,
    touched: [],
  };
  return goOn({ git, store }, { taking, next: 0, ours: ours.value, settled: [], before: undefined });
}

type Begun = Omit<Taking, "state">;
type Ours = { commit: string; tree: string };

/** A tree as a commit on top, for merges; the commit itself if it has that tree. */
async function committed(git: ChangesRepository, ours: Ours, tree: string): Promise<Answer<Ours>> {
  if (ours.tree === tree) return { ok: true, value: ours };
  const made = await git.commit({ tree, parents: [ours.commit], message: "The files as they are" });
  return made.ok ? { ok: true, value: { commit: made.value, tree } } : made;
}

type From = { taking: Begun; next: number; ours: Ours; settled: string[]; before: Taking | undefined };

async function goOn({ git, store }: TakePorts, { taking, next, ours, settled, before }: From): Promise<TakeEnd> {
  const folded = await fold(git, taking, { next, ours });
  if (!folded.ok) return refused(folded.reason);
  const { ours: last, next: end, conflict, nothing } = folded.value;
  const keepsIndex = taking.as === "edits";
  const move: Move = {
    ...(taking.ref !== undefined && { ref: taking.ref }),
    head: taking.head,
    commit: keepsIndex ? taking.head : last.commit,
    old: ours.tree,
    tree: conflict?.tree ?? last.tree,
    stages: keepsIndex ? [] : (conflict?.stages ?? []),
    settled,
    given_up: [],
    keepsIndex,
  };
  const written = await git.differing(move.old, move.tree);
  const problem = await inTheWay(git, { move, written, conflict, own: keepsIndex ? taking.touched : settled });
  if (problem !== undefined) return refused(problem);
  const touched = [...new Set([...taking.touched, ...written])];
  const marked = conflict && (await marksIn(git, conflict, last.tree));
  const state: Writing = { kind: "writing", move, next: end, ...(marked && { conflict: marked }) };
  return write({ git, store }, { taking: { ...taking, touched, state }, before, nothing });
}

/** git puts markers into a file if both sides have a text there; a binary file stays as it was on our side. */
async function marksIn(git: ChangesRepository, { files, stages, tree }: Merged, ours: string): Promise<ConflictFile[]> {
  const changed = new Set(await git.differing(ours, tree));
  const isFile = (path: string, side: number) =>
    stages.some((entry) => entry.path === path && entry.stage === side && entry.mode.startsWith("100"));
  return files.map((path) => ({ path, marked: changed.has(path) && isFile(path, 2) && isFile(path, 3) }));
}

type Folded = { ours: Ours; next: number; conflict?: Merged; nothing: string[] };

async function fold(git: ChangesRepository, { steps }: Begun, from: { next: number; ours: Ours }): Promise<Answer<Folded>> {
  let { ours } = from;
  const brought = new Set<string>();
  for (const [at, step] of steps.entries()) {
    if (at < from.next) continue;
    const merged = await git.merge(ours, step);
    if (!merged.ok) return { ok: false, reason: `Cannot merge ${step.id}: ${merged.reason}` };
    if (merged.value.files.length > 0) return { ok: true, value: { ours, next: at, conflict: merged.value, nothing: [] } };
    if (merged.value.tree === ours.tree) continue;
    brought.add(step.id);
    const made = await git.commit(commitOf(step, ours.commit, merged.value.tree));
    if (!made.ok) return made;
    ours = { commit: made.value, tree: merged.value.tree };
  }
  const nothing = idsOf(steps.slice(from.next)).filter((id) => !brought.has(id));
  return { ok: true, value: { ours, next: steps.length, nothing } };
}

const commitOf = ({ tip, mergesTip, message, author }: Step, ours: string, tree: string) => ({
  tree,
  parents: mergesTip ? [ours, tip] : [ours],
  message,
  ...(author && { author }),
});

type Way = { move: Move; written: string[]; conflict: Merged | undefined; own: string[] };

/** Why nothing may be written now: work of the person's that is not committed. */
async function inTheWay(git: ChangesRepository, { move, written, conflict, own }: Way): Promise<string | undefined> {
  const { staged, unstaged, untracked } = await git.uncommitted();
  const expected = new Set(own);
  const dirty = new Set([...staged, ...unstaged, ...untracked].filter((path) => !expected.has(path)));
  const files = written.filter((path) => dirty.has(path));
  if (files.length > 0) return uncommittedText(files);
  const others = staged.filter((path) => !expected.has(path));
  if (conflict === undefined || move.keepsIndex || others.length === 0) return undefined;
  return `It is in conflict in ${listed(conflict.files)}, and what you have staged would get into its commit: ${listed(others)}. Commit or unstage that first; nothing was changed`;
}

const uncommittedText = (files: string[]) =>
  `It changes files that have work of yours which is not committed: ${listed(files)}. Commit or stash it first (git stash push -- ${files[0]}); nothing was changed`;

const listed = (paths: string[]) => `${paths.slice(0, 8).join(", ")}${paths.length > 8 ? ` and ${paths.length - 8} more` : ""}`;

type Write = { taking: Taking & { state: Writing }; before: Taking | undefined; nothing: string[] };

async function write({ git, store }: TakePorts, { taking, before, nothing }: Write): Promise<TakeEnd> {
  store.write(taking);
  const written = await git.write(taking.state.move, "first");
  if (written.kind === "written") return ended({ git, store }, taking, nothing);
  if (before) store.write(before);
  else store.clear();
  return refused(writeProblem(written));
}

function writeProblem(written: Exclude<Written, { kind: "written" }>): string {
  switch (written.kind) {
    case "in_the_way":
      return `It would overwrite files that git does not track: ${listed(written.files)}. Move them away; nothing was changed`;
    case "busy":
      return `Another git works in this folder: ${written.lock} is there. If none does, remove that file; nothing was changed`;
    case "moved":
      return `The branch has moved to ${written.now.slice(0, 12)} meanwhile. Look again and take it once more; the files are as they were`;
    case "foreign":
      return `A take was interrupted here, and these files were changed after it: ${listed(written.files)}. Save them elsewhere and restore them (git restore ${written.files[0]}), then go on: tool take --continue`;
    case "failed":
      return `The files could not be changed: ${written.reason}`;
  }
}

/** After a write: the take is over, or waits for the person. */
function ended({ store }: TakePorts, taking: Taking & { state: Writing }, nothing: string[]): TakeEnd {
  const { state, steps } = taking;
  const done = doneBefore(steps, state.next);
  const after = afterWrite(taking, state);
  if (state.back) {
    store.clear();
    return { kind: "undone", start: taking.start };
  }
  store.remember(Object.fromEntries(done.flatMap((id) => (taking.whole[id] ? [[id, taking.whole[id]]] : []))));
  if (after === undefined) {
    store.clear();
    return { kind: "taken", taking, ids: done.filter((id) => !nothing.includes(id)), nothing, tree: state.move.tree };
  }
  store.write(after);
  return stopped(after);
}

/** Where a take waits. */
export function stopped({ state, steps }: Taking): TakeEnd {
  if (state.kind !== "conflict")
    return refused("A take was interrupted here. To go on: tool take --continue. To undo it: tool take --abort");
  const id = steps[state.at]?.id ?? "";
  const rest = idsOf(steps.slice(state.at)).filter((other) => other !== id);
  return { kind: "conflict", id, files: state.files, done: doneBefore(steps, state.at), rest };
}

/** Finishes a write that a kill has interrupted. Undefined if there is none. */
export async function recover({ git, store }: TakePorts): Promise<TakeEnd | undefined> {
  const taking = store.read();
  if (taking?.state.kind !== "writing") return undefined;
  const written = await git.write(taking.state.move, "again");
  if (written.kind !== "written") return refused(writeProblem(written));
  return ended({ git, store }, { ...taking, state: taking.state }, []);
}

/** After the person has resolved the conflict: with their commit, or with their files as they are. */
export async function continueTake({ git, store }: TakePorts): Promise<TakeEnd> {
  const recovered = await recover({ git, store });
  if (recovered) return recovered;
  const taking = store.read();
  if (taking?.state.kind !== "conflict") return refused("There is nothing to go on with: no take has stopped here");
  const { state, ...begun } = taking;
  const open = await git.unresolved(state.files);
  if (open.length > 0) return refused(openText(open, state.files));
  const settled = state.files.map(({ path }) => path);
  const from = taking.as === "edits" ? await afterEdits(git, taking) : await afterMerge(git, taking, { settled, at: state.at });
  if (!from.ok) return refused(from.reason);
  return goOn({ git, store }, { taking: { ...begun, head: from.value.head }, next: state.at + 1, before: taking, ...from.value });
}

type Resolved = Answer<{ ours: Ours; settled: string[]; head: string }>;

async function afterEdits(git: ChangesRepository, { touched, head }: Taking): Promise<Resolved> {
  const [files, now] = [await git.filesNow(touched), await git.head()];
  if (!files.ok) return files;
  const ours = await committed(git, now, files.value);
  return ours.ok ? { ok: true, value: { ours: ours.value, settled: touched, head: now.commit === head ? head : now.commit } } : ours;
}

async function afterMerge(git: ChangesRepository, taking: Taking, { settled, at }: { settled: string[]; at: number }): Promise<Resolved> {
  const now = await git.head();
  if (now.ref !== taking.ref)
    return {
      ok: false,
      reason: `Another branch is checked out than when the take began: ${now.ref ?? now.commit}. Go back to ${taking.ref ?? taking.start}`,
    };
  if (now.commit !== taking.head) return { ok: true, value: { ours: now, settled: [], head: now.commit } }; // the person has committed it
  const tree = await git.settledTree(settled);
  const step = taking.steps[at];
  if (!tree.ok || !step) return tree.ok ? { ok: false, reason: "The record of the take is damaged" } : tree;
  const isNothing = tree.value === now.tree && !step.mergesTip;
  const made = isNothing ? ({ ok: true, value: now.commit } as const) : await git.commit(commitOf(step, now.commit, tree.value));
  return made.ok ? { ok: true, value: { ours: { commit: made.value, tree: tree.value }, settled, head: taking.head } } : made;
}

function openText(open: string[], files: ConflictFile[]): string {
  const marked = new Map(files.map((file) => [file.path, file.marked]));
  const lines = open.map((path) =>
    marked.get(path) ? `${path} (it has markers)` : `${path} (choose a version: git checkout --ours or --theirs, or git rm; then git add)`,
  );
  return `Still in conflict: ${lines.join(", ")}. Resolve that, then: tool take --continue. To undo the take: tool take --abort`;
}

/** Back to where the take began, sets that were merged before the conflict included. */
export async function abortTake({ git, store }: TakePorts): Promise<TakeEnd> {
  const recovered = await recover({ git, store });
  const taking = store.read();
  if (taking?.state.kind !== "conflict") return recovered ?? refused("There is nothing to undo: no take has stopped here");
  const now = await git.head();
  if (now.commit !== taking.head || now.ref !== taking.ref)
    return refused(`The branch has moved since the take stopped. To go back all the same: git reset --keep ${taking.start.slice(0, 12)}`);
  const isEdits = taking.as === "edits";
  const move: Move = {
    ...(taking.ref !== undefined && { ref: taking.ref }),
    head: taking.head,
    commit: taking.start,
    old: taking.state.tree,
    tree: isEdits ? taking.began : await git.treeOf(taking.start),
    stages: [],
    settled: [],
    given_up: [...new Set([...taking.touched, ...taking.state.files.map(({ path }) => path)])],
    keepsIndex: isEdits,
  };
  const state: Writing = { kind: "writing", move, next: taking.state.at, back: true };
  return write({ git, store }, { taking: { ...taking, state }, before: taking, nothing: [] });
}
