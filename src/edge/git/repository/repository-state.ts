// The state of a repository at the start of a session: branch, changes, latest commits.
import { join } from "node:path";
import type { RepositoryFacts } from "../../../agent/ports/environment.ts";
import { git, repositoryPlace } from "../own-git.ts";
import { isInGitFolder } from "../places.ts";

/** Commands that take longer than `limitMs` are abandoned. */
export async function repositoryState(folder: string, { limitMs }: { limitMs: number }): Promise<RepositoryFacts> {
  const found = await repositoryPlace(folder);
  if (found.kind === "none") return { kind: found.bare ? "bare" : "none" };
  if (found.kind === "refused") return { kind: "refused", why: found.why };
  if (isInGitFolder(found.place, folder)) return { kind: "bare" };
  const { code, stdout } = await git(folder, mainBranches, { limitMs, script });
  if (code !== 0) return { kind: "slow" };
  const [branches = "", commits = "", ...status] = stdout.toString("utf8").split("\0");
  const [branch = "", ...changes] = status.filter(Boolean);
  return {
    kind: "known",
    branch: branch.replace(/^## /, ""),
    mainBranch: mainBranchOf(linesOf(branches)),
    changes: changes.map((line) => ({ state: line.slice(0, 2), path: join(found.place.top, line.slice(3)) })),
    commits: linesOf(commits),
  };
}

/** Branches, commits and changes, with a NUL between, so that one process of the sandbox is enough. Without a commit there is no log. */
const script = `git for-each-ref --format='%(refname:short) %(symref:short)' refs/remotes/origin/HEAD "$@"
printf '\\0'
git -c log.showSignature=false log -3 --no-show-signature --no-decorate --format='%h %s' || :
printf '\\0'
git --no-optional-locks status --porcelain=v1 --branch -z --no-renames --ignore-submodules=all
`;

const linesOf = (text: string) => text.split("\n").filter(Boolean);

const mainBranches = ["refs/heads/main", "refs/heads/master", "refs/heads/trunk"];

/** The remote's default branch, else the first of the usual names. */
function mainBranchOf(branches: string[]): string | undefined {
  const remote = branches.find((line) => line.includes(" origin/"));
  return remote?.split(" origin/")[1] ?? branches.find((line) => !line.startsWith("origin"))?.trim();
}
