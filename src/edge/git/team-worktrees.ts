// The worktrees of a team's members, and the branch that receives their completed work: implements the port of team/worktrees.ts. Several
// processes of a team use it at once: each has its own worktree, and references change by compare-and-swap.

import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { ConflictFile, KeptTree, Merged, Predicted, TeamTrees } from "../../team/worktrees.ts";
import { errorText } from "../../wording/error-text.ts";
import { handOver, hasMark } from "./hand-over.ts";
import { createBranch, deleteBranch } from "./own-branches.ts";
import { gitFault, gitLine, type OwnGit, repositoryPlace } from "./own-git.ts";
import { workFolder } from "./repository/ignored-files.ts";
import { treeOfEverything } from "./staging.ts";
import { type CommitScan, commitStaged, conflictedMerge, stageAll } from "./unit-commits.ts";
import { untrustedText } from "./untrusted-file.ts";
import { type Worktrees, type WorktreesOptions, worktrees } from "./worktrees.ts";

/**
 * `id`: used in the names of branches. `base`: the commit that everything starts from. `within`: the team's folder relative to the root.
 */
export type TeamWorktreesOptions = WorktreesOptions & { id: string; base: string; within: string; look: CommitScan };

const mergedName = "merged";

type Trees = TeamWorktreesOptions & { trees: Worktrees; folderOf: (name: string) => string; branchOf: (name: string) => string };

export function teamWorktrees(options: TeamWorktreesOptions): TeamTrees {
  const { git, repository, home, id, base, within } = options;
  const folderOf = (name: string) => join(home, name);
  const branchOf = (name: string) => `tool/team-${id}/${name}`;
  const all: Trees = { ...options, trees: worktrees(options), folderOf, branchOf };
  const merged = branchOf(mergedName);
  return {
    folderOf: (name) => join(folderOf(name), within),
    branchOf,
    merged,
    add: (name) => add(all, name).catch((error) => ({ ok: false, reason: errorText(error) })),
    hand: (name, message) => refusedOnFault(() => hand(all, name, message)),
    update: (name, message) => refusedOnFault(() => update(all, name, message)),
    predict: (names) => predict(all, names),
    union: () => union(all).catch((error) => ({ ok: false, reason: errorText(error) })),
    left: async () => (await all.trees.list()).map(({ folder }) => ({ name: basename(folder), folder })),
    settle: (names) => settle(all, names),
    hasMerged: async () => (await gitLine(git, repository, ["rev-parse", "--quiet", "--verify", `refs/heads/${merged}`])) !== undefined,
    handed: async () => ({
      commits: Number((await gitLine(git, repository, ["rev-list", "--count", `${base}..refs/heads/${merged}`])) ?? 0),
      isTaken: (await gitLine(git, repository, ["rev-list", "--count", `HEAD..refs/heads/${merged}`])) === "0",
      tip: await gitLine(git, repository, ["rev-parse", "--quiet", "--verify", `refs/heads/${merged}`]),
    }),
  };
}

async function add(all: Trees, name: string): Promise<{ ok: true } | { ok: false; reason: string }> {
  const { git, repository, base, within, folderOf, branchOf } = all;
  const team = await createBranch(git, repository, { branch: branchOf(mergedName), from: base });
  if (!team.ok) return { ok: false, reason: team.error.reason };
  const added = await all.trees.add({ folder: folderOf(name), branch: branchOf(name), commit: team.value, ignored: "copy" });
  // an existing branch of its own that is behind the team's work is continued
  const again = added.ok || added.why !== "branch taken" ? added : await all.trees.add(ownBranch(all, name));
  if (!again.ok) return { ok: false, reason: again.reason };
  await all.trees.unlock(folderOf(name));
  workFolder(folderOf(name), within);
  return { ok: true };
}

/** Creates a worktree again that somebody has deleted, in its latest state. Undefined if it is there. */
async function remake(all: Trees, name: string, message: string): Promise<Merged | undefined> {
  if (existsSync(all.folderOf(name))) return undefined;
  const added = await add(all, name);
  if (!added.ok) return { kind: "refused", reason: added.reason };
  const updated = await update(all, name, message);
  return updated.kind === "merged" ? { kind: "remade" } : updated;
}

/** Creates a branch again that somebody has deleted below its worktree, at the last commit that git has noted for the worktree. */
async function restoredBranch({ git, folderOf, branchOf }: Trees, name: string): Promise<boolean> {
  const folder = folderOf(name);
  if (await gitLine(git, folder, ["rev-parse", "--quiet", "--verify", "HEAD"])) return false;
  const found = await repositoryPlace(folder);
  const log = found.kind === "found" ? untrustedText(join(found.place.gitDir, "logs/HEAD"), longestLog) : undefined;
  const last = (log ?? "").trimEnd().split("\n").at(-1)?.split(" ")[1] ?? "";
  return (await git(folder, ["update-ref", `refs/heads/${branchOf(name)}`, last, ""])).code === 0;
}

const longestLog = 64 * 1024 * 1024;

const ownBranch = ({ folderOf, branchOf, base }: Trees, name: string) =>
  ({ folder: folderOf(name), branch: branchOf(name), commit: base, ignored: "copy" }) as const;

async function refusedOnFault(work: () => Promise<Merged>): Promise<Merged> {
  try {
    return await work();
  } catch (error) {
    return { kind: "refused", reason: errorText(error) };
  }
}

async function hand(all: Trees, name: string, message: string): Promise<Merged> {
  const { git, repository, look, branchOf, folderOf, base } = all;
  const [folder, branch, team] = [folderOf(name), branchOf(name), branchOf(mergedName)];
  const remade = await remake(all, name, message);
  if (remade) return remade;
  const there = await createBranch(git, repository, { branch: team, from: base });
  if (!there.ok) return { kind: "refused", reason: there.error.reason };
  const handed = await handOver({ git, repository, folder, branch, team, at: there.value, message, look });
  switch (handed.kind) {
    case "merged":
      return (await moveOn(all, name, { commit: handed.commit })) ?? handed;
    case "marked":
      return { kind: "conflict", files: handed.files };
    case "conflict":
      return (await save(all, name, message)) ?? (await bringIn(all, name, `Bring ${team} into ${branch}`));
    case "refused":
      return (await restoredBranch(all, name)) ? hand(all, name, message) : { kind: "refused", reason: handed.reason };
  }
}

async function update(all: Trees, name: string, message: string): Promise<Merged> {
  const { git, repository, branchOf, folderOf, base } = all;
  const remade = await remake(all, name, message);
  if (remade) return remade;
  const team = await gitLine(git, repository, ["rev-parse", "--quiet", "--verify", `refs/heads/${branchOf(mergedName)}`]);
  const own = await gitLine(git, folderOf(name), ["rev-parse", "--verify", "HEAD"]);
  if (own === undefined)
    return (await restoredBranch(all, name))
      ? update(all, name, message)
      : { kind: "refused", reason: `The worktree ${folderOf(name)} has no commit: its branch ${branchOf(name)} was deleted` };
  if (team === undefined || team === base || (await isIn(git, repository, { commit: team, branch: own })))
    return { kind: "merged", commit: own };
  const saved = await save(all, name, message);
  if (saved) return saved;
  const head = (await gitLine(git, folderOf(name), ["rev-parse", "--verify", "HEAD"])) ?? own;
  if (await isIn(git, repository, { commit: head, branch: team }))
    return (await moveOn(all, name, { commit: team })) ?? { kind: "merged", commit: team };
  return bringIn(all, name, message);
}

/** Undefined if everything is committed. */
async function save({ git, folderOf, look }: Trees, name: string, message: string): Promise<Merged | undefined> {
  const folder = folderOf(name);
  const staged = await stageAll(git, folder, "HEAD");
  const saved = staged.ok ? await commitStaged(git, folder, { message, look }) : staged;
  return saved.ok ? undefined : { kind: "refused", reason: saved.error.reason };
}

/** Moves a worktree without uncommitted changes to a commit that contains its own. */
async function moveOn({ git, folderOf }: Trees, name: string, { commit }: { commit: string }): Promise<Merged | undefined> {
  const folder = folderOf(name);
  const moved = await git(folder, ["merge", "--ff-only", "--quiet", "--no-verify-signatures", commit]);
  if (moved.code === 0) return undefined;
  return { kind: "refused", reason: `Cannot bring the worktree ${folder} to ${commit.slice(0, 12)}: ${gitFault(moved)}` };
}

/** Merges the team's branch into the teammate's, with markers where git could not merge; nothing of either side is lost. */
async function bringIn(all: Trees, name: string, message: string): Promise<Merged> {
  const { git, branchOf, folderOf, look } = all;
  const merge = await conflictedMerge(git, folderOf(name), { ours: branchOf(name), theirs: branchOf(mergedName), message, look });
  if (!merge.ok) return { kind: "refused", reason: merge.error.reason };
  const { commit, files } = merge.value;
  const moved = await moveOn(all, name, { commit });
  if (moved) return moved;
  return files.length > 0 ? { kind: "conflict", files: withMarks(all, name, files) } : { kind: "merged", commit };
}

function withMarks({ folderOf, branchOf }: Trees, name: string, files: string[]): ConflictFile[] {
  return files.map((path) => ({ path, marked: hasMark(join(folderOf(name), path), branchOf(name)) }));
}

async function isIn(git: OwnGit, folder: string, { commit, branch }: { commit: string; branch: string }): Promise<boolean> {
  return (await git(folder, ["merge-base", "--is-ancestor", commit, branch])).code === 0;
}

async function predict(all: Trees, names: string[]): Promise<Predicted[]> {
  const { git, repository } = all;
  const states: { name: string; commit: string }[] = [];
  for (const name of names) {
    const commit = await snapshot(all, name);
    if (commit !== undefined) states.push({ name, commit });
  }
  const pairs = states.flatMap((one, at) => states.slice(at + 1).map((other) => [one, other] as const));
  const found: Predicted[] = [];
  for (const [one, other] of pairs) {
    const merged = await git(repository, ["merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", one.commit, other.commit]);
    const [, ...files] = merged.stdout.split("\0").filter(Boolean);
    if (merged.code === 1) found.push({ pair: [one.name, other.name], files });
  }
  return found;
}

/** The worktree's current files as a commit that is on no branch. Its index and files stay unchanged. */
async function snapshot({ git, folderOf }: Trees, name: string): Promise<string | undefined> {
  const folder = folderOf(name);
  const head = await gitLine(git, folder, ["rev-parse", "--verify", "HEAD"]);
  if (head === undefined) return undefined;
  const tree = await treeOfEverything(git, folder);
  if (!tree.ok) return head; // someone is writing there now: use what is committed
  if (tree.value === (await gitLine(git, folder, ["rev-parse", "HEAD^{tree}"]))) return head;
  const made = await git(folder, ["commit-tree", tree.value, "-p", head, "-m", `what ${name} has now`]);
  return made.code === 0 ? made.stdout.trim() : head;
}

/** A branch that only we move; nobody works in it. */
const unionName = "union";

async function union(all: Trees): Promise<{ ok: true; folder: string; commit: string } | { ok: false; reason: string }> {
  const { git, repository, trees, folderOf, branchOf } = all;
  const folder = folderOf(unionName);
  const commit = await gitLine(git, repository, ["rev-parse", "--quiet", "--verify", `refs/heads/${branchOf(mergedName)}`]);
  if (commit === undefined) return { ok: false, reason: `The branch ${branchOf(mergedName)} is gone` };
  const added = await trees.add(ownBranch(all, unionName));
  if (!added.ok) return { ok: false, reason: added.reason };
  const moved = await git(folder, ["reset", "--hard", "--quiet", commit]);
  if (moved.code !== 0) return { ok: false, reason: `Cannot check out ${commit.slice(0, 12)} in ${folder}: ${gitFault(moved)}` };
  await git(folder, ["clean", "-fdq"]);
  return { ok: true, folder: workFolder(folder, all.within), commit };
}

async function settle(all: Trees, names: string[]): Promise<KeptTree[]> {
  const { git, repository, trees, folderOf, branchOf } = all;
  if (existsSync(folderOf(unionName))) await union(all).catch(() => undefined); // files that tests have left there belong to nobody
  const kept: KeptTree[] = [];
  for (const name of new Set([...names, unionName])) {
    const [folder, branch] = [folderOf(name), branchOf(name)];
    if (existsSync(folder)) await restoredBranch(all, name);
    const removed = await trees.remove({ folder, savedIn: branchOf(mergedName) });
    if (!removed.ok) kept.push({ name, folder, branch, why: removed.reason.replace(/^The worktree .* is kept: /, ""), isThere: true });
    const deleted = removed.ok ? await deleteBranch(git, repository, { branch, from: branchOf(mergedName) }) : removed;
    if (removed.ok && !deleted.ok && "error" in deleted)
      kept.push({ name, folder, branch, why: `its folder is removed. ${deleted.error.reason}`, isThere: false });
  }
  return kept;
}
