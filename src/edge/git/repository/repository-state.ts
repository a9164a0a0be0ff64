// The state of a repository at the start of a session: branch, changes, latest commits.
import { join } from "node:path";
import type { RepositoryFacts } from "../../../agent/ports/environment.ts";
import { git, repositoryPlace } from "../own-git.ts";
import { isInGitFolder } from "../places.ts";

const mostCommits = 3;
const lookOnly = ["--no-optional-locks", "-c", "log.showSignature=false"];

/** Commands that take longer than `limitMs` are abandoned. */
export async function repositoryState(folder: string, { limitMs }: { limitMs: number }): Promise<RepositoryFacts> {
  const lines = async (...args: string[]) => {
    const { code, stdout } = await git(folder, [...lookOnly, ...args], { limitMs });
    return code === 0 ? stdout.toString("utf8").split("\n").filter(Boolean) : undefined;
  };
  const found = await repositoryPlace(folder);
  if (found.kind === "none") return { kind: found.bare ? "bare" : "none" };
  if (found.kind === "refused") return { kind: "refused", why: found.why };
  if (isInGitFolder(found.place, folder)) return { kind: "bare" };
  const { top } = found.place;
  const [status, commits, branches] = await Promise.all([
    git(folder, [...lookOnly, "status", "--porcelain=v1", "--branch", "-z", "--no-renames", "--ignore-submodules=all"], { limitMs }),
    lines("log", `-${mostCommits}`, "--no-show-signature", "--no-decorate", "--format=%h %s"),
    lines("for-each-ref", "--format=%(refname:short) %(symref:short)", "refs/remotes/origin/HEAD", ...mainBranches),
  ]);
  if (status.code !== 0) return { kind: "slow" };
  const [branch = "", ...changes] = status.stdout.toString("utf8").split("\0").filter(Boolean);
  return {
    kind: "known",
    branch: branch.replace(/^## /, ""),
    mainBranch: mainBranchOf(branches ?? []),
    changes: changes.map((line) => ({ state: line.slice(0, 2), path: join(top, line.slice(3)) })),
    commits: commits ?? [],
  };
}

const mainBranches = ["refs/heads/main", "refs/heads/master", "refs/heads/trunk"];

/** The remote's default branch, else the first of the usual names. */
function mainBranchOf(branches: string[]): string | undefined {
  const remote = branches.find((line) => line.includes(" origin/"));
  return remote?.split(" origin/")[1] ?? branches.find((line) => !line.startsWith("origin"))?.trim();
}
