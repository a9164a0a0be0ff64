// The person's git repository as a batch uses it. A batch makes worktrees in its own folders and branches below `tool/`. It never writes the person's
// working tree, index, HEAD, stash or configuration. Hooks, filters, aliases, pagers, interactive credential helpers and programs from the
// repository's configuration do not run in these calls (for exceptions see `push`), and each call has a time limit.

export type Remote = {
  name: string;
  /** Without credentials, so that it can be printed. */
  url: string;
};

/** What worktrees need of a repository. */
export type UsableRepository =
  | Pick<Extract<RepositoryFacts, { kind: "usable" }>, "kind" | "root" | "head">
  | Extract<RepositoryFacts, { kind: "unusable" }>;

/** What no worktree of a repository has, nor a copy of one at a place. */
export type LackingFiles = {
  /** Paths of submodules, whose files are missing. */
  submodules: string[];
  /** Whether an attributes file names the git-lfs filter: worktrees then have pointers, or none can be made without the program. */
  lfs: "none" | "pointers" | "missing";
};

export type RepositoryFacts =
  /** There is no git, no repository, or no room for worktrees and for branches below `tool/`. `reason` has what was found and the remedy. */
  | { kind: "unusable"; reason: string }
  | (LackingFiles & {
      kind: "usable";
      /** The top folder of the person's working tree. */
      root: string;
      /** The git folder that all worktrees share. */
      gitFolder: string;
      /** The full id of HEAD, where units start. */
      head: string;
      /** Undefined if HEAD is detached. */
      branch: string | undefined;
      /** The target branch of pull requests: the upstream of `branch` at the remote, else the remote's HEAD, else `branch`. */
      base: string | undefined;
      /** The upstream's remote, else `origin`, else the only remote; undefined if there is none. */
      remote: Remote | undefined;
      /** A git operation that is not finished. */
      underWay: "rebase" | "merge" | "cherry-pick" | "revert" | "bisect" | undefined;
      /** Tracked files that differ from HEAD, staged or not, relative to `root`. A batch does not see these changes. */
      changed: string[];
      /** Untracked files that are not ignored. */
      untracked: string[];
      shallow: boolean;
      /** The hooks that run when the person commits or pushes. */
      hooks: { folder: string; names: string[] };
      /** Whether HEAD is in `base` at the remote, as far as is known locally. If not, pull requests show the person's own commits too. */
      headIsPushed: boolean;
      /** Whether `user.name` and `user.email` are set, which a commit needs. */
      hasIdentity: boolean;
      /** Whether the person signs commits. */
      signsCommits: boolean;
    });

export type GitError =
  /** The branch or the folder exists already and belongs to something else. */
  | { kind: "exists"; reason: string }
  /** A merge conflict; `files` are relative to the root. */
  | { kind: "conflict"; reason: string; files: string[] }
  /** The remote refused the push: a protected branch, a hook, missing rights, or not a fast-forward. `reason` quotes the remote. */
  | { kind: "rejected"; reason: string }
  /** The remote needs a login that is missing, or refuses the login. */
  | { kind: "auth"; reason: string }
  /** The remote did not answer. */
  | { kind: "network"; reason: string }
  /** A worktree is not clean, or its commits are nowhere else. */
  | { kind: "unsaved"; reason: string }
  /** Any other error, in git's own words, such as a full disk, a damaged repository or another process's `index.lock`. */
  | { kind: "failed"; reason: string };

export type GitAnswer<T = undefined> = { ok: true; value: T } | { ok: false; error: GitError };

export type NewWorktree = {
  /** Absolute. Its parent folder need not exist. */
  folder: string;
  /** `tool/batch-<id>/<unit>`. */
  branch: string;
  /** The commit to start at. */
  from: string;
};

/** A file that differs from the commit at which the worktree's branch began. */
export type ChangedFile = { path: string; kind: "added" | "changed" | "deleted" };

/**
 * Calls for one repository may overlap; an implementation queues those that git cannot run at once (`worktree add`, `worktree remove`, references).
 */
export interface Repository {
  /**
   * Adds a worktree on a new branch. It can be repeated after a kill: a half-made worktree is completed, and a branch that is at `from` or ahead of
   * it is kept.
   */
  addWorktree(worktree: NewWorktree): Promise<GitAnswer>;
  /**
   * Copies ignored files and folders that match the patterns (gitignore syntax) from the person's working tree and returns their paths. Existing
   * files are never overwritten.
   */
  includeIgnored(folder: string, patterns: string): Promise<GitAnswer<string[]>>;
  /** Stages every file of the worktree that is not ignored, and returns the files that the branch would then change since `from`. */
  stage(folder: string, from: string): Promise<GitAnswer<ChangedFile[]>>;
  /** Commits the staged files and returns the branch's commit. If nothing is staged, that is the existing commit. */
  commit(folder: string, message: string): Promise<GitAnswer<string>>;
  /** The text of a file in a commit; undefined if it has none there. */
  fileAt(commit: string, path: string): Promise<string | undefined>;
  /** The commit of a branch; undefined if there is no such branch. */
  commitOf(branch: string): Promise<string | undefined>;
  /** Makes the branch at `from` unless it exists, and returns its commit. */
  createBranch(branch: string, from: string): Promise<GitAnswer<string>>;
  /**
   * Merges `from` into `branch` with `git merge-tree` and returns the branch's commit. No worktree may have `branch` checked out. Nothing changes if
   * `from` is already merged.
   */
  merge(merge: { branch: string; from: string; message: string }): Promise<GitAnswer<string>>;
  /**
   * Pushes the branch under the same name, never forced, with the person's credentials and without their `pre-push` hook. It can be repeated, also
   * after `signal` has cut it short.
   */
  push(branch: string, remote: string, signal?: AbortSignal): Promise<GitAnswer>;
  /**
   * Removes a worktree if it is clean, apart from ignored files, and its commits are in `savedIn` (a local or remote branch); otherwise fails with
   * `unsaved`. A missing worktree is no error.
   */
  removeWorktree(folder: string, savedIn: string): Promise<GitAnswer>;
  /** Deletes a branch below `tool/` unless it has commits beyond `from`. */
  deleteBranch(branch: string, from: string): Promise<GitAnswer>;
}
