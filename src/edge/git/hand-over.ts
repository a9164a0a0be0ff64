// Commits a teammate's work and merges it into the team's branch, with few git processes: both commits are made and scanned before any
// branch changes, and then both branches change at once.
import { createHash } from "node:crypto";
import { join } from "node:path";
import type { ConflictFile } from "../../team/worktrees.ts";
import { inTurn } from "../lock/in-turn.ts";
import { ownFolder } from "./own-folder.ts";
import { gitFault, gitLine, type OwnGit } from "./own-git.ts";
import { stageEverything } from "./staging.ts";
import { type CommitScan, commitTree, mergedTree } from "./unit-commits.ts";
import { mostMarked, readUntrusted } from "./untrusted-file.ts";

/**
 * `team`: the branch to merge into, which was at the commit `at` a moment ago.
 */
export type HandOver = {
  git: OwnGit;
  repository: string;
  folder: string;
  branch: string;
  team: string;
  at: string;
  message: string;
  look: CommitScan;
};

/**
 * `marked`: these files contain the markers of an earlier conflict. `conflict`: the merge conflicts, and the staged work is not committed
 * yet.
 */
export type HandedOver =
  | { kind: "merged"; commit: string }
  | { kind: "marked"; files: ConflictFile[] }
  | { kind: "conflict" }
  | { kind: "refused"; reason: string };

/** How often to retry when another process was faster. */
const attempts = 8;

export async function handOver(order: HandOver): Promise<HandedOver> {
  const { git, repository, folder, message } = order;
  const staged = await stage(order);
  if (staged.kind !== "staged") return staged;
  const { head, before, tree } = staged;
  const [marked, own] = await Promise.all([
    markedFiles(order, tree),
    tree === before ? { ok: true as const, value: head } : commitTree(git, folder, { tree, parents: [head], message }),
  ]);
  if (marked.kind === "refused" || marked.files.length > 0) return marked;
  if (!own.ok) return refused(own.error.reason);
  return inTurn(turnOf(repository), (hasWaited) => mergeOn(order, { head, own: own.value }, hasWaited));
}

/** In our own folder, since nothing of the person's repository is ours to keep files in. */
const turnOf = (repository: string) => join(ownFolder(), `turn-${createHash("sha256").update(repository).digest("hex").slice(0, 16)}`);

/** Somebody else may have moved the branch despite the queue: a process that cannot see it. */
async function mergeOn(order: HandOver, commits: Omit<Commits, "old">, hasWaited: boolean): Promise<HandedOver> {
  const { git, repository, team, at } = order;
  const tip = () => gitLine(git, repository, ["rev-parse", "--quiet", "--verify", `refs/heads/${team}`]);
  for (let attempt = 1, old = (hasWaited ? await tip() : undefined) ?? at; ; attempt++) {
    const done = await merge(order, { ...commits, old });
    if (done.kind !== "refused") return done;
    const now = await tip();
    if (now === undefined || now === old || attempt === attempts) return done;
    old = now;
  }
}

const refused = (reason: string): { kind: "refused"; reason: string } => ({ kind: "refused", reason });

/** `before`: the tree of `head`, the branch's commit. */
type Staged = { kind: "staged"; head: string; before: string; tree: string };

async function stage({ git, folder, branch }: HandOver): Promise<Staged | HandedOver> {
  const [heads, added] = await Promise.all([
    git(folder, ["rev-parse", "HEAD^{commit}", "HEAD^{tree}", "--symbolic-full-name", "HEAD"]),
    stageEverything(git, folder),
  ]);
  if (heads.code !== 0 || !added.ok) return refused(`Cannot stage the changes in ${folder}: ${added.ok ? gitFault(heads) : added.reason}`);
  const [head = "", before = "", checkedOut] = heads.stdout.split("\n");
  if (checkedOut !== `refs/heads/${branch}`)
    return refused(`Nothing was committed: ${checkedOut} is checked out in ${folder}, not ${branch}`);
  const written = await git(folder, ["write-tree"]);
  if (written.code !== 0) return refused(`Cannot commit in ${folder}: ${gitFault(written)}`);
  return { kind: "staged", head, before, tree: written.stdout.trim() };
}

/** Only files that differ from the team's branch can have a conflict that is left. */
async function markedFiles(
  { git, folder, branch, at }: HandOver,
  tree: string,
): Promise<Extract<HandedOver, { kind: "marked" | "refused" }>> {
  const differs = await git(folder, ["diff-tree", "-r", "--name-only", "--diff-filter=d", "--no-renames", "-z", at, tree]);
  if (differs.code !== 0) return refused(`Cannot compare ${folder} with ${at.slice(0, 12)}: ${gitFault(differs)}`);
  const changed = differs.stdout.split("\0").filter(Boolean);
  const files = changed.filter((path) => hasMark(join(folder, path), branch)).map((path) => ({ path, marked: true }));
  return { kind: "marked", files };
}

/** Conflict markers with the name of the branch, so that other text is not mistaken for one. */
export function hasMark(file: string, branch: string): boolean {
  const found = readUntrusted(file, { most: mostMarked });
  return found.kind === "read" && found.bytes.includes(`<<<<<<< ${branch}\n`);
}

/** `head`: the commit of its branch, which becomes `own`. `old`: that of the team's branch. */
type Commits = { head: string; own: string; old: string };

async function merge(order: HandOver, { head, own, old }: Commits): Promise<HandedOver> {
  const { git, repository, branch, team, message, look } = order;
  if (own === head && (await git(repository, ["merge-base", "--is-ancestor", own, old])).code === 0) return { kind: "merged", commit: old };
  const merged = await mergedTree(git, repository, { ours: old, theirs: own });
  if (!merged.ok) return refused(`Cannot merge ${branch} into ${team}: ${merged.error.reason}`);
  if (merged.value.files) return { kind: "conflict" };
  const made = await commitTree(git, repository, { tree: merged.value.tree, parents: [old, own], message: `Merge ${message}` });
  if (!made.ok) return refused(made.error.reason);
  const problem = await look(repository, `${old} ${made.value} refs/heads/${team}\n`);
  if (problem !== undefined) return refused(problem);
  const updates = [
    [`refs/heads/${team}`, made.value, old],
    [`refs/heads/${branch}`, own, head],
  ];
  const input = updates.map((update) => `update ${update.join(" ")}\n`).join("");
  const set = await git(repository, ["update-ref", "-m", "tool: commit", "--stdin"], { input });
  return set.code === 0 ? { kind: "merged", commit: made.value } : refused(`Cannot move ${team} and ${branch} on: ${gitFault(set)}`);
}
