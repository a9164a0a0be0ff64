// The user's repository as a batch uses it: implements the port of batch/repository.ts with worktrees, commits, merges and pushes.

import type { GitAnswer, GitError, Repository } from "../../batch/repository.ts";
import { errorText } from "../../wording/error-text.ts";
import { oneAtATime } from "../one-at-a-time.ts";
import { createBranch, deleteBranch } from "./own-branches.ts";
import { gitLine } from "./own-git.ts";
import { type PushOrder, pushBranch } from "./pushing.ts";
import { bringIgnoredFiles } from "./repository/ignored-files.ts";
import { type CommitScan, commitStaged, failed, mergeBranch, stageAll } from "./unit-commits.ts";
import { type AddRefusal, type WorktreesOptions, worktrees } from "./worktrees.ts";

export type BatchRepositoryOptions = WorktreesOptions & {
  ignored: "copy" | "link";
  look: CommitScan;
  /** The environment of a push, and the variables in it that only a push gets. */
  env: PushOrder["env"];
  logins: PushOrder["logins"];
  /** Called for each push, because a login may be renewed meanwhile. */
  token: PushOrder["token"];
};

export function batchRepository(options: BatchRepositoryOptions): Repository {
  const { git, repository: root, look } = options;
  const trees = worktrees(options);
  const queued = oneAtATime(); // of two concurrent merges into one branch, each would find that the other changed it
  return {
    addWorktree: ({ folder, branch, from }) =>
      orFailed(async () => {
        const added = await trees.add({ folder, branch, commit: from, ignored: "leave" });
        return added.ok ? done : { ok: false, error: { kind: kindOf(added.why), reason: added.reason } };
      }),
    includeIgnored: (folder, patterns) =>
      orFailed(async () => {
        const order = { from: root, to: folder, how: options.ignored, isHidden: await options.closed(), patterns };
        const { copied, linked } = await bringIgnoredFiles(git, order);
        return { ok: true, value: [...copied, ...linked] };
      }),
    stage: (folder, from) => stageAll(git, folder, from),
    commit: (folder, message) => commitStaged(git, folder, { message, look }),
    async fileAt(commit, path) {
      const { code, stdout } = await git(root, ["cat-file", "blob", `${commit}:${path}`]);
      return code === 0 ? stdout : undefined;
    },
    commitOf: (branch) => gitLine(git, root, ["rev-parse", "--quiet", "--verify", `refs/heads/${branch}^{commit}`]),
    createBranch: (branch, from) => queued(() => createBranch(git, root, { branch, from })),
    merge: (merge) => queued(() => mergeBranch(git, root, { ...merge, look })),
    push: (branch, remote, signal) => {
      const { env, logins, token } = options;
      return pushBranch(git, root, { branch, remote, env, logins, token, signal });
    },
    removeWorktree: (folder, savedIn) =>
      orFailed(async () => {
        const removed = await trees.remove({ folder, savedIn });
        if (removed.ok) return done;
        return { ok: false, error: { kind: removed.why === "git failed" ? "failed" : "unsaved", reason: removed.reason } };
      }),
    deleteBranch: (branch, from) => queued(() => deleteBranch(git, root, { branch, from })),
  };
}

const done: GitAnswer = { ok: true, value: undefined };

const kindOf = (why: AddRefusal): GitError["kind"] & ("exists" | "failed") =>
  why === "branch taken" || why === "folder in the way" ? "exists" : "failed";

/** Turns faults such as a full disk into an answer, because they concern only one of many units. */
async function orFailed<T>(work: () => Promise<GitAnswer<T>>): Promise<GitAnswer<T>> {
  try {
    return await work();
  } catch (error) {
    return failed(errorText(error));
  }
}
