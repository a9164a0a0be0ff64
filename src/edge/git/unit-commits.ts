// Commits that the harness makes from an agent's worktree: without hooks or filters of the repository (own-git.ts), and only after their changes are
// scanned. Branches change by compare-and-swap, so that nobody's commit is overwritten.
import type { ChangedFile, GitAnswer, GitError } from "../../batch/repository.ts";
import { gitFault, gitLine, type OwnGit } from "./own-git.ts";
import { stageEverything } from "./staging.ts";

/** Why a reference may not get a commit, given a line of git's hook `reference-transaction`; undefined if it may. */
export type CommitScan = (folder: string, update: string) => Promise<string | undefined>;

export const failed = (reason: string): { ok: false; error: GitError } => ({ ok: false, error: { kind: "failed", reason } });

/** Stages everything that is not ignored. Returns what differs from `from`. */
export async function stageAll(git: OwnGit, folder: string, from: string): Promise<GitAnswer<ChangedFile[]>> {
  const staged = await stageEverything(git, folder);
  if (!staged.ok) return failed(`Cannot stage the changes in ${folder}: ${staged.reason}`);
  const args = ["diff", "--cached", "--raw", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--ignore-submodules=none", from];
  const { code, stdout, ...rest } = await git(folder, args);
  if (code !== 0) return failed(`Cannot compare ${folder} with ${from.slice(0, 12)}: ${gitFault({ code, stdout, ...rest })}`);
  const fields = stdout.split("\0");
  const kinds: Record<string, ChangedFile["kind"] | undefined> = { A: "added", D: "deleted" };
  return {
    ok: true,
    value: fields.flatMap((field, at): ChangedFile[] =>
      at % 2 === 0 && fields[at + 1] ? [{ path: fields[at + 1]!, kind: kinds[field.at(-1) ?? ""] ?? "changed" }] : [],
    ),
  };
}

/** Commits what is staged on the worktree's branch. Returns that commit, or the current one if nothing is staged. */
export async function commitStaged(
  git: OwnGit,
  folder: string,
  { message, look }: { message: string; look: CommitScan },
): Promise<GitAnswer<string>> {
  const reference = await gitLine(git, folder, ["symbolic-ref", "--quiet", "HEAD"]);
  if (!reference?.startsWith("refs/heads/tool/"))
    return failed(`Nothing was committed: ${reference ?? "no branch"} is checked out in ${folder}`);
  const head = await gitLine(git, folder, ["rev-parse", "--verify", "HEAD^{commit}"]);
  const tree = await git(folder, ["write-tree"]);
  if (head === undefined || tree.code !== 0) return failed(`Cannot commit in ${folder}: ${gitFault(tree)}`);
  if (tree.stdout.trim() === (await gitLine(git, folder, ["rev-parse", "HEAD^{tree}"]))) return { ok: true, value: head };
  return advance(git, folder, { reference, old: head, look, message, parents: [head], tree: tree.stdout.trim() });
}

type Merge = { branch: string; from: string; message: string; look: CommitScan };

/** Merges without a working tree. */
export async function mergeBranch(git: OwnGit, folder: string, { branch, from, message, look }: Merge): Promise<GitAnswer<string>> {
  const reference = `refs/heads/${branch}`;
  const [old, other] = await Promise.all(
    [reference, from].map((name) => gitLine(git, folder, ["rev-parse", "--quiet", "--verify", `${name}^{commit}`])),
  );
  if (old === undefined || other === undefined)
    return failed(`Cannot merge ${from} into ${branch}: ${old ? from : branch} is no commit here`);
  if ((await git(folder, ["merge-base", "--is-ancestor", other, old])).code === 0) return { ok: true, value: old };
  const merged = await mergedTree(git, folder, { ours: old, theirs: other });
  if (!merged.ok) return failed(`Cannot merge ${from} into ${branch}: ${merged.error.reason}`);
  const { tree, files } = merged.value;
  if (files) {
    const named = `${files.slice(0, 5).join(", ")}${files.length > 5 ? ` and ${files.length - 5} more` : ""}`;
    return { ok: false, error: { kind: "conflict", reason: `Cannot merge ${from} into ${branch}: both change ${named}`, files } };
  }
  return advance(git, folder, { reference, old, look, message, parents: [old, other], tree });
}

type ConflictedMerge = { ours: string; theirs: string; message: string; look: CommitScan };

/** A merge commit made without a working tree; `files` had conflicts, and text files contain both versions between markers. */
export async function conflictedMerge(
  git: OwnGit,
  folder: string,
  { ours, theirs, message, look }: ConflictedMerge,
): Promise<GitAnswer<{ commit: string; files: string[] }>> {
  const merged = await mergedTree(git, folder, { ours, theirs });
  if (!merged.ok) return failed(`Cannot merge ${theirs} into ${ours}: ${merged.error.reason}`);
  const { tree, files = [] } = merged.value;
  const made = await commitTree(git, folder, { tree, parents: [ours, theirs], message });
  if (!made.ok) return made;
  const commit = made.value;
  const problem = await look(folder, `${theirs} ${commit} refs/heads/${ours}\n`);
  return problem === undefined ? { ok: true, value: { commit, files } } : failed(problem);
}

type Advance = { reference: string; old: string; look: CommitScan; message: string; parents: string[]; tree: string };

async function advance(git: OwnGit, folder: string, order: Advance): Promise<GitAnswer<string>> {
  const { reference, old, look, message, parents, tree } = order;
  const made = await commitTree(git, folder, { tree, parents, message });
  if (!made.ok) return made;
  const commit = made.value;
  const problem = await look(folder, `${old} ${commit} ${reference}\n`);
  if (problem !== undefined) return failed(problem);
  const set = await git(folder, ["update-ref", "-m", "tool: commit", reference, commit, old]);
  return set.code === 0 ? { ok: true, value: commit } : failed(`Cannot move ${reference} on to ${commit.slice(0, 12)}: ${gitFault(set)}`);
}

type Sides = { ours: string; theirs: string };

/** Merges two commits without a working tree. `files`: those with conflicts; absent if there are none. */
export async function mergedTree(
  git: OwnGit,
  folder: string,
  { ours, theirs }: Sides,
): Promise<GitAnswer<{ tree: string; files?: string[] }>> {
  const merged = await git(folder, ["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", ours, theirs]);
  if (merged.code !== 0 && merged.code !== 1) return failed(gitFault(merged));
  const [tree = "", ...files] = merged.stdout.split("\0").filter(Boolean);
  return { ok: true, value: merged.code === 0 ? { tree } : { tree, files } };
}

/** A commit that is on no reference yet. */
export async function commitTree(
  git: OwnGit,
  folder: string,
  { tree, parents, message }: { tree: string; parents: string[]; message: string },
): Promise<GitAnswer<string>> {
  const args = ["commit-tree", tree, ...parents.flatMap((parent) => ["-p", parent]), "-F", "-"];
  const made = await git(folder, args, { input: message });
  return made.code === 0 ? { ok: true, value: made.stdout.trim() } : failed(`Cannot commit in ${folder}: ${gitFault(made)}`);
}
