// The worktrees of a session's isolated agents: implements the port of subagents/isolation.ts.
import type { AgentWorktrees } from "../../subagents/isolation.ts";
import { gitFault, gitLine } from "./own-git.ts";
import { workFolder } from "./repository/ignored-files.ts";
import { type WorktreesOptions, worktrees } from "./worktrees.ts";

/** `within`: the session's folder relative to the root of the repository. */
export type AgentWorktreesOptions = WorktreesOptions & { within: string };

export function agentWorktrees(options: AgentWorktreesOptions): AgentWorktrees {
  const { git, repository, within } = options;
  const trees = worktrees(options);
  return {
    async headOf(folder) {
      const head = await git(folder, ["rev-parse", "--quiet", "--verify", "HEAD^{commit}"]);
      if (head.code === 0) return head.stdout.trim();
      const why = head.stderr.trim() === "" ? "the repository has no commit yet" : gitFault(head);
      throw new Error(`"isolation: worktree" needs a git repository with a commit, and ${why}`);
    },
    async add({ folder, branch, from }) {
      const added = await trees.add({ folder, branch, commit: from, ignored: "copy" });
      if (!added.ok) throw new Error(added.reason);
      workFolder(folder, within);
      return added.from === "new" ? "new" : "there before";
    },
    async removeUnused({ folder, branch, from }) {
      const commits = await gitLine(git, repository, ["rev-list", "--count", `${from}..refs/heads/${branch}`]);
      const state = await trees.state(folder);
      const changes = state.kind === "there" ? state.changes.length : 0;
      const found = [
        count(Number(commits ?? 0), "commit of its own", "commits of its own"),
        count(changes, "file not committed", "files not committed"),
      ];
      if (found.some(Boolean)) return `it has ${found.filter(Boolean).join(" and ")}`;
      const removed = await trees.remove({ folder, savedIn: branch });
      if (!removed.ok) return removed.reason.replace(/^The worktree .* is kept: /, "");
      // with its old value, so that a commit made meanwhile is not lost
      const deleted =
        commits === undefined ? undefined : await git(repository, ["update-ref", "--no-deref", "-d", `refs/heads/${branch}`, from]);
      return deleted === undefined || deleted.code === 0 ? undefined : gitFault(deleted);
    },
  };
}

const count = (number: number, one: string, many: string) => (number === 0 ? "" : `${number} ${number === 1 ? one : many}`);
