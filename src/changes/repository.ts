// The person's repository as looking, taking and dropping need it. edge/git/changes/ implements it through the one door to git: nothing of the
// repository's own settings, hooks or filters runs.
import type { ChangeSet, Into, Seen } from "./change-set.ts";
import type { Move, Stage, Step } from "./taking.ts";

/** A reason is a sentence without its full stop. */
export type Answer<T = undefined> = { ok: true; value: T } | { ok: false; reason: string };

export type Head = { commit: string; tree: string; ref: string | undefined };

/** `files`: those in conflict; `stages`: their versions, as the index keeps them. */
export type Merged = { tree: string; files: string[]; stages: Stage[] };

/** `busy`: another git holds the index, or a killed one has left its lock. `foreign`: changed by somebody else since the write began. */
export type Written =
  | { kind: "written" }
  | { kind: "in_the_way"; files: string[] }
  | { kind: "busy"; lock: string }
  | { kind: "moved"; now: string }
  | { kind: "foreign"; files: string[] }
  | { kind: "failed"; reason: string };

/** Paths that differ from HEAD; the untracked ones are new to git. */
export type Uncommitted = { staged: string[]; unstaged: string[]; untracked: string[] };

export type Commit = { id: string; tree: string; base: string; message: string; author: NonNullable<Step["author"]> };

/** Contents of a file before and after a change; null where it is not there. */
export type MadeFile = { path: string; before: Buffer | null; after: Buffer | null };

export type LookOrder = { sets: ChangeSet[]; taken: ReadonlyMap<string, string>; rivals: boolean };

export type Gone = { set: ChangeSet; why: string };

export interface ChangesRepository {
  /** The top folder of the person's working tree. */
  readonly root: string;
  head(): Promise<Head>;
  uncommitted(): Promise<Uncommitted>;
  /** `taken`: trees that were taken before, by id. The gone ones have neither branch nor worktree. */
  look(order: LookOrder): Promise<{ seen: Seen[]; gone: Gone[] }>;
  /** A change of these files as commits that are on no branch; undefined if git ignores all of them. */
  made(files: readonly MadeFile[]): Promise<{ from: string; tip: string } | undefined>;
  /** The commit with everything of a set, to be kept: uncommitted files are committed apart from its branch, and scanned for secrets. */
  freeze(seen: Seen): Promise<Answer<string>>;
  /** The commits from `from` to `tip`, along the first parents; none if one of them is gone. */
  commits(from: string, tip: string): Promise<Commit[]>;
  /** The commit that two branches have in common. */
  baseOf(one: string, other: string): Promise<string | undefined>;
  /** A tree with only these paths of `tip`, and otherwise that of the base of `ours` and `tip`, or of `from`; and the base's tree. */
  only(order: { ours: string; from?: string; tip: string; paths: string[] }): Promise<Answer<{ tree: string; base: string }>>;
  treeOf(commit: string): Promise<string>;
  /** Without a working tree. */
  merge(ours: { commit: string; tree: string }, step: Pick<Step, "tip" | "tree" | "base">): Promise<Answer<Merged>>;
  commit(order: { tree: string; parents: string[]; message: string; author?: Step["author"] }): Promise<Answer<string>>;
  /** The tracked files as they are now, with these others. */
  filesNow(others: string[]): Promise<Answer<string>>;
  /** Paths that differ between two trees. */
  differing(one: string, other: string): Promise<string[]>;
  /** Carries a move out, or the rest of it if it has begun before. */
  write(move: Move, how: "first" | "again"): Promise<Written>;
  /** Which of these files are still in conflict. */
  unresolved(files: { path: string; marked: boolean }[]): Promise<string[]>;
  /** The tree of the index, with these files as they are now. */
  settledTree(settled: string[]): Promise<Answer<string>>;
  /** The text of a set's difference, as git prints it. */
  diff(seen: Pick<Seen, "tip" | "set">): Promise<string>;
  /** Commits what is not committed, removes the worktrees and the branches. Returns how each branch comes back. */
  drop(seen: Pick<Seen, "set">): Promise<Answer<{ branch: string; commit: string }[]>>;
}

export const isTaken = ({ into }: { into: Into }): boolean => into.kind === "taken";
