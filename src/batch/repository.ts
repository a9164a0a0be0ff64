// The person's git repository as a batch sees it. What a batch does to it: worktrees in folders of its own, and branches below `tool/`. The
// person's working tree, index, HEAD, stash and configuration are never written. Hooks, filters, aliases, pagers, credential helpers that ask,
// and programs named by the repository's configuration do not run in any of these calls (push: see there), and each has a time limit.

export type Remote = {
  name: string;
  /** Without credentials: what may be printed. */
  url: string;
};

export type RepositoryFacts =
  /** No git, no repository here, or one without room for worktrees and branches below `tool/`: what was found, and the remedy. */
  | { kind: "unusable"; reason: string }
  | {
      kind: "usable";
      /** The top folder of the person's working tree. */
      root: string;
      /** The git folder that all worktrees share. */
      gitFolder: string;
      /** Full id of HEAD: what units start from. */
      head: string;
      /** Undefined when HEAD is detached. */
      branch: string | undefined;
      /** The branch that pull requests are for: the upstream of `branch` at the remote, else the remote's HEAD, else `branch`. */
      base: string | undefined;
      /** The upstream's remote, else `origin`, else the only one; undefined when there is none. */
      remote: Remote | undefined;
      /** What git waits for a person to continue with: HEAD is in the middle of it. */
      underWay: "rebase" | "merge" | "cherry-pick" | "revert" | "bisect" | undefined;
      /** Paths from `root` of tracked files that differ from HEAD, staged or not. A batch does not see these changes. */
      changed: string[];
      /** Untracked and not ignored. */
      untracked: string[];
      /** Paths of submodules; worktrees do not have their files. */
      submodules: string[];
      /** A filter of git-lfs is named by an attributes file: worktrees have pointers. */
      lfs: boolean;
      shallow: boolean;
      /** Hooks that a person's commit or push runs here, by name, and where they are. */
      hooks: { folder: string; names: string[] };
      /** HEAD is in `base` at the remote, as far as is known here: otherwise pull requests show the person's own commits too. */
      headIsPushed: boolean;
      /** `user.name` and `user.email` are known, so that a commit can be made. */
      hasIdentity: boolean;
      /** The person's own commits are signed. */
      signsCommits: boolean;
    };

export type GitError =
  /** The branch or the folder is there already and is something else. */
  | { kind: "exists"; reason: string }
  /** A merge that git cannot do by itself; `files` are paths from the root. */
  | { kind: "conflict"; reason: string; files: string[] }
  /** The remote refused: a protected branch, a hook, no right, not a fast-forward. `reason` has the remote's own words. */
  | { kind: "rejected"; reason: string }
  /** The remote wants a login that is not there, or refuses the one there is. */
  | { kind: "auth"; reason: string }
  /** The remote did not answer. */
  | { kind: "network"; reason: string }
  /** A worktree is not clean, or its commits are nowhere else. */
  | { kind: "unsaved"; reason: string }
  /** Everything else, with git's own words: a full disk, a damaged repository, `index.lock` of somebody else. */
  | { kind: "failed"; reason: string };

export type GitAnswer<T = undefined> = { ok: true; value: T } | { ok: false; error: GitError };

export type NewWorktree = {
  /** Absolute; its parent need not exist. */
  folder: string;
  /** `tool/batch-<id>/<unit>`. */
  branch: string;
  /** A commit. */
  from: string;
};

/** A file against the commit that a worktree's branch began at. */
export type ChangedFile = { path: string; kind: "added" | "changed" | "deleted" };

/** Calls for one repository may come side by side: an implementation queues what git cannot do at once (`worktree add`, `worktree remove`, references). */
export interface Repository {
  /** A worktree on a new branch. Repeating it after a kill at any instruction answers the same: a half-made one is completed, a branch that is at `from` or ahead of it is kept as it is. */
  addWorktree(worktree: NewWorktree): Promise<GitAnswer>;
  /** Copies ignored files and folders that match the patterns (gitignore syntax) from the person's working tree; never over a file that is there. Answers with their paths. */
  includeIgnored(folder: string, patterns: string): Promise<GitAnswer<string[]>>;
  /** Stages everything in the worktree that git does not ignore, and answers with what the branch would then have, against `from`. */
  stage(folder: string, from: string): Promise<GitAnswer<ChangedFile[]>>;
  /** Commits what is staged, and answers with the branch's commit; with nothing staged it is the commit that is there. */
  commit(folder: string, message: string): Promise<GitAnswer<string>>;
  /** The commit of a branch; undefined when there is none of that name. */
  commitOf(branch: string): Promise<string | undefined>;
  /** Makes the branch at `from` where it is not there yet, and answers with its commit. */
  createBranch(branch: string, from: string): Promise<GitAnswer<string>>;
  /** Merges `from` into `branch`, which no worktree has checked out (`git merge-tree`), and answers with its commit; one that has it already stays. */
  merge(merge: { branch: string; from: string; message: string }): Promise<GitAnswer<string>>;
  /** Sends the branch to the remote under the same name, never forced, with the person's own credentials and their `pre-push` hook off. Repeating it is harmless, and so is `signal`, which cuts it short. */
  push(branch: string, remote: string, signal?: AbortSignal): Promise<GitAnswer>;
  /** Removes a worktree that is clean (ignored files count as nothing) and whose commits are in `savedIn` (a branch here or at a remote): `unsaved` otherwise. One that is gone already is fine. */
  removeWorktree(folder: string, savedIn: string): Promise<GitAnswer>;
  /** Deletes a branch below `tool/` that has no commit beyond `from`; others stay. */
  deleteBranch(branch: string, from: string): Promise<GitAnswer>;
}
