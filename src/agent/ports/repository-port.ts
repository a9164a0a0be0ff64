// The port for a repository's history and index; edge/git implements it.
import type { IsHidden } from "../../permissions/paths/hidden.ts";

/** `path` is absolute, `id` git's name for the content, `mtime` in whole seconds; `mode` and size are git's too. */
export type TrackedFile = { path: string; id: string; mode: string; size: number; mtime: number };

/** How often HEAD has moved so far. */
export type HeadMark = { log: string; bytes: number };

/**
 * What the references of a repository name, by their whole names; `mark` differs after each change, of stashes too. `top`: of the working tree.
 * `commonDir`: git's folder, which all working trees share.
 * `heads`: what checkouts are at that have no branch, by the path of their HEAD in `.git`. `head`: the commit of this checkout. `noted`: the ids of
 * commits that git has written down for a step that it is at or that can be taken back. `steps`: those that are under way, by the name of the checkout's
 * folder in `.git/worktrees`; empty for this one, `main` for the first.
 */
export type References = {
  top: string;
  commonDir: string;
  mark: string;
  ids: ReadonlyMap<string, string>;
  heads: ReadonlyMap<string, string>;
  head: string | undefined;
  noted: ReadonlyMap<string, Noted>;
  steps: ReadonlyMap<string, Step>;
  /** What stands for another reference where git makes none that does, and for which. */
  symbolic: ReadonlyMap<string, string>;
};

/** `digest`: of all that git has noted of it. */
export type Step = { kind: "rebase" | "am" | "merge" | "cherry-pick" | "revert" | "bisect"; digest: string };

/** `path`: of the file in `.git`. `isThere`: the repository has that commit. */
export type Noted = { path: string; isThere: boolean };

/** `isOwn`: only of the checkout itself. */
export type StagedOrder = { isSpecial: (path: string) => boolean; isOwn?: boolean };

/** An index: its special files by path, with mode and id. `mark` differs after each change of it. */
export type Staged = { mark: string; special: ReadonlyMap<string, string> };

/** What a command changes itself before its git looks. `stages`: also what git ignores. `written`: absolute paths. */
export type RepositoryChange = { stages: "as usual" | "ignored too" | undefined; written: readonly string[] };

/** A branch, a tag or a note of git's with files that it brings, relative to the repository; undefined: not known. `id`: empty for the index. */
export type Brought = { name: string; id: string; files: string[] | undefined };

/** `why`: the second half of a sentence. */
export type CommitPack = { kind: "packed" } | { kind: "failed"; why: string };

/** `top`: of the working tree. `to`: the file that is written. */
export type PackOrder = { top: string; ids: readonly string[]; except: readonly string[]; to: string };

/** Commits that only a repository has. */
export type CommitStore = {
  /** What the commits need that those of `except` do not have. Fails where one of them is not there. */
  pack(order: PackOrder, signal: AbortSignal): Promise<CommitPack>;
  /** The commit that is checked out, in a repository whose whole history is too large to be kept; else nothing. */
  largeHistory(top: string): Promise<string[]>;
  /** Of all stashes, the newest first. */
  stashes(top: string): Promise<string[]>;
  missing(top: string, ids: readonly string[]): Promise<string[]>;
  /** `pack`: the path of the file. Returns why it could not. */
  unpack(top: string, pack: string, signal: AbortSignal): Promise<string | undefined>;
  /** Those of the ids to which none of the names leads any more. Undefined if git does not say. */
  unnamed(top: string, ids: readonly string[], order: NameOrder): Promise<Set<string> | undefined>;
  /** `last` itself while nothing has changed. */
  objects(top: string, last?: ObjectList): ObjectList;
};

/**
 * `holders`: branches and tags alone, with checkouts and what else is of this repository, or with references of other machines too. `logged`: no log of
 * git leads to it either.
 */
export type NameOrder = { holders: "branches" | "own" | "all"; logged: boolean; signal: AbortSignal };

/** The files that hold a repository's objects; `mark` differs after each change. */
export type ObjectList = { mark: string; names: ReadonlySet<string> };

/** What searches come to, as the programs themselves list it. Undefined if one does not say. */
export type Searches = {
  /** Absolute paths. `args`: options by which rg chooses files, `--`, and absolute paths of places. */
  ripgrep(folder: string, args: string[]): Promise<ReadonlySet<string> | undefined>;
  /** What `git grep` comes to in the repository at `top`; `repositories`: those that are tracked in it. */
  tracked(top: string): Promise<{ files: ReadonlySet<string>; repositories: string[] } | undefined>;
};

export type HistoryOptions = {
  /** The file of attributes, made with the first look. */
  file: string;
  /** For the hook that scans commits: the hidden files of each repository. */
  list: string;
};

export type RepositoryHistory = {
  /**
   * Looks for changes in the repositories of these folders, and rewrites the file if they matter. `isHidden` is another function after rules have
   * changed, and undefined if nothing is hidden.
   */
  survey(folders: string[], isHidden: IsHidden | undefined): Promise<void>;
  /** The hidden files in the index of one of these repositories at the last refresh; the same list while it has not changed. */
  tracked(): TrackedFile[];
  /**
   * The folder `info` of each surveyed repository that has hidden files, and the lines for the attributes there: of all that git reads, they
   * come first. For commands that see a copy of that folder.
   */
  first(): ReadonlyMap<string, string>;
  /** Whether attributes of a repository itself come before ours, so that git prints a hidden file. */
  showsHidden(): Promise<boolean>;
  /**
   * Formerly tracked hidden files whose index entry has changed or disappeared while the file has not, as absolute paths. Call it after a refresh.
   */
  leftBehind(before: TrackedFile[]): Promise<string[]>;
  /** Whether an index is another than at the last look. */
  isStale(): boolean;
  close(): void;
};
