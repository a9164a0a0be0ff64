// Creates and deletes our own branches, below `tool/`, by compare-and-swap, without touching any working tree.
import type { GitAnswer } from "../../batch/repository.ts";
import { gitFault, gitLine, type OwnGit } from "./own-git.ts";
import { failed } from "./unit-commits.ts";

type BranchOrder = { branch: string; from: string };

/** Creates the branch at `from`; an existing one that contains `from` stays. Returns its commit. */
export async function createBranch(git: OwnGit, root: string, { branch, from }: BranchOrder): Promise<GitAnswer<string>> {
  const reference = `refs/heads/${branch}`;
  const continued = await continuedFrom(git, root, { reference, from });
  if (continued !== undefined) return { ok: true, value: continued };
  const commit = await gitLine(git, root, ["rev-parse", "--quiet", "--verify", `${from}^{commit}`]);
  if (commit === undefined || !branch.startsWith("tool/"))
    return failed(`Cannot make the branch ${branch} at ${from}: there is no such commit`);
  const there = () => gitLine(git, root, ["rev-parse", "--quiet", "--verify", reference]);
  const before = await there();
  if (before === undefined) {
    const made = await git(root, ["update-ref", "-m", "tool: branch", reference, commit, ""]);
    if (made.code === 0) return { ok: true, value: commit };
    if ((await there()) === undefined) return failed(`Cannot make the branch ${branch}: ${gitFault(made)}`);
  }
  const now = before ?? (await there()) ?? commit; // another process may have created it at the same moment
  if ((await git(root, ["merge-base", "--is-ancestor", commit, now])).code === 0) return { ok: true, value: now };
  const reason = `Cannot make the branch ${branch}: it exists already and does not contain ${commit.slice(0, 12)}`;
  return { ok: false, error: { kind: "exists", reason } };
}

/** The common case in one process of git: the branch is there, and has `from`. */
async function continuedFrom(
  git: OwnGit,
  root: string,
  { reference, from }: { reference: string; from: string },
): Promise<string | undefined> {
  const format = "--format=%(refname) %(objectname)"; // the pattern names what is below it too
  const listed = await gitLine(git, root, ["for-each-ref", `--contains=${from}`, format, reference]);
  return listed?.startsWith(`${reference} `) ? listed.slice(reference.length + 1) : undefined;
}

/** With the reference's old value, so that a commit made meanwhile is not lost. */
export async function deleteBranch(git: OwnGit, root: string, { branch, from }: BranchOrder): Promise<GitAnswer> {
  const reference = `refs/heads/${branch}`;
  const there = await gitLine(git, root, ["rev-parse", "--quiet", "--verify", reference]);
  if (there === undefined) return { ok: true, value: undefined };
  const isSaved = (await git(root, ["merge-base", "--is-ancestor", there, from])).code === 0;
  if (!branch.startsWith("tool/") || !isSaved) {
    return { ok: false, error: { kind: "unsaved", reason: `The branch ${branch} is kept: it has commits that are not in ${from}` } };
  }
  const deleted = await git(root, ["update-ref", "--no-deref", "-d", reference, there]);
  return deleted.code === 0 ? { ok: true, value: undefined } : failed(`Cannot delete the branch ${branch}: ${gitFault(deleted)}`);
}
