// Removes a change set: its worktrees, after everything in them is committed, and its branches. Commits stay with git for a while, and the answer
// says which.
import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { ChangeSet } from "../../../changes/change-set.ts";
import type { Answer } from "../../../changes/repository.ts";
import { gitFault, gitLine, type OwnGit } from "../own-git.ts";
import { commitStaged, stageAll } from "../unit-commits.ts";
import { worktrees } from "../worktrees.ts";

type Place = { git: OwnGit; root: string };
type Left = { branch: string; folder: string };

export async function dropSet(
  place: Place,
  { content, further = [], what }: ChangeSet,
): Promise<Answer<{ branch: string; commit: string }[]>> {
  if (content.kind === "range") return { ok: false, reason: `it is a part of ${content.whole}, and is dropped with it` };
  const dropped: { branch: string; commit: string }[] = [];
  for (const left of [...further, { branch: content.branch, folder: content.folder }]) {
    const one = await dropOne(place, left, what);
    if (!one.ok) return one;
    if (one.value !== undefined) dropped.push({ branch: left.branch, commit: one.value });
  }
  return { ok: true, value: dropped };
}

/** The last commit of the branch, if there was one. */
async function dropOne({ git, root }: Place, { branch, folder }: Left, what: string): Promise<Answer<string | undefined>> {
  const reference = `refs/heads/${branch}`;
  const trees = worktrees({ git, repository: root, home: dirname(folder), closed: async () => () => true });
  if (existsSync(folder)) {
    const saved = await savedWork(git, folder, what);
    if (saved !== undefined) return { ok: false, reason: saved };
  }
  const tip = await gitLine(git, root, ["rev-parse", "--quiet", "--verify", reference]);
  const removed = await trees.remove({ folder, savedIn: branch });
  if (!removed.ok) return { ok: false, reason: removed.reason };
  if (tip === undefined) return { ok: true, value: undefined };
  const elsewhere = (await gitLine(git, root, ["for-each-ref", "--format=%(worktreepath)", reference])) ?? "";
  if (elsewhere !== "") return { ok: false, reason: `The branch ${branch} is checked out in ${elsewhere}` };
  const deleted = await git(root, ["update-ref", "--no-deref", "-d", reference, tip]);
  return deleted.code === 0 ? { ok: true, value: tip } : { ok: false, reason: `Cannot delete the branch ${branch}: ${gitFault(deleted)}` };
}

/** Not scanned for secrets: the commit is on no branch a moment later. */
async function savedWork(git: OwnGit, folder: string, what: string): Promise<string | undefined> {
  const staged = await stageAll(git, folder, "HEAD");
  const saved = staged.ok ? await commitStaged(git, folder, { message: `${what}\n\nDropped`, look: async () => undefined }) : staged;
  return saved.ok ? undefined : saved.error.reason;
}
