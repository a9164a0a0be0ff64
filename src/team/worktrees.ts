// The worktrees of a team: one for each teammate, on its own branch, and one branch for the work of completed tasks. Declares the port that
// edge/git/team-worktrees.ts implements, and has the texts for members and users.
import { z } from "zod";
import { namedFiles } from "../board/tasks/overlap-notices.ts";
import type { Task } from "../board/tasks/task.ts";
import { inLine } from "../wording/others-words.ts";

/** What the team's record keeps, so that a resume continues in the same worktrees. */
export const treesRecordSchema = z.object({
  /** In the names of folders and branches. */
  id: z.string(),
  /** The root of the person's working tree. */
  root: z.string(),
  /** The commit that everything begins at. */
  base: z.string(),
});
export type TreesRecord = z.infer<typeof treesRecordSchema>;

/** A file that git could not merge. `marked`: it contains both versions between markers; otherwise it has the version of the worktree's owner. */
export type ConflictFile = { path: string; marked: boolean };

/**
 * `conflict`: the other side's changes are in the worktree now, where its owner resolves the conflict. `remade`: somebody had deleted the worktree, so
 * nothing was merged; it was created again from its branch.
 */
export type Merged =
  | { kind: "merged"; commit: string }
  | { kind: "remade" }
  | { kind: "conflict"; files: ConflictFile[] }
  | { kind: "refused"; reason: string };

/** Two teammates whose current work cannot be merged. */
export type Predicted = { pair: [string, string]; files: string[] };

/** `why`: completes a sentence that begins with the worktree. `isThere`: false if only the branch is left. */
export type KeptTree = { name: string; folder: string; branch: string; why: string; isThere: boolean };

/** `isTaken`: all of it is in what the person has checked out. */
export type Handed = { commits: number; tip: string | undefined; isTaken: boolean };

/** Nothing of the person's working tree, index, HEAD, stash and settings is touched. Every operation can be repeated after a kill. */
export type TeamTrees = {
  /** The folder in which that teammate works: the team's folder, in the teammate's worktree. */
  folderOf(name: string): string;
  branchOf(name: string): string;
  /** The branch with the work of completed tasks. */
  merged: string;
  /** Makes the worktree if it does not exist, from its branch if that exists. */
  add(name: string): Promise<{ ok: true } | { ok: false; reason: string }>;
  /** Commits the teammate's uncommitted work, and merges its branch into the team's branch. */
  hand(name: string, message: string): Promise<Merged>;
  /** Brings what others have handed over into the teammate's worktree. */
  update(name: string, message: string): Promise<Merged>;
  /** Pairs of these whose work could not be merged now, uncommitted files included. */
  predict(names: string[]): Promise<Predicted[]>;
  /** A worktree of everything that was handed over; its root. */
  union(): Promise<{ ok: true; folder: string; commit: string } | { ok: false; reason: string }>;
  /** Worktrees that are there. */
  left(): Promise<{ name: string; folder: string }[]>;
  /** Removes worktrees whose work is in the team's branch, and names the others. */
  settle(names: string[]): Promise<KeptTree[]>;
  /** The team's branch: its commits beyond the base, and the last one. */
  handed(): Promise<Handed>;
  /** Whether the team's branch is there: it is made with the first worktree. */
  hasMerged(): Promise<boolean>;
};

/** For a resumed team whose branch somebody has deleted. Undefined if no work was lost with it. */
export function lostWorkText(merged: string, tasks: Task[]): string | undefined {
  const done = tasks.filter(({ status }) => status === "completed").map(({ id }) => id);
  if (done.length === 0) return undefined;
  return `The branch ${merged} is gone, and with it what ${done.join(", ")} had merged there; a new one begins at the commit that the team started from. As long as git keeps the old commits, git fsck --lost-found names the last one.`;
}

export function conflictText(id: string, files: ConflictFile[]): string {
  const lines = files.map(({ path, marked }) =>
    marked
      ? `- ${inLine(path)}: it has both versions between markers. Merge them and remove the markers`
      : `- ${inLine(path)}: it cannot be merged as text, and has your version. Keep it, or create the file again`,
  );
  return `Cannot complete "${id}" yet: others have changed the same places, and their changes are in your worktree now.\n${lines.join("\n")}\nCheck everything again, and then complete the task.`;
}

export function updateConflictText(files: ConflictFile[]): string {
  return `Work that others have completed was merged into your worktree, and these files are in conflict: ${inLine(files.map(({ path }) => path).join(", "))}. Resolve them first.`;
}

export function predictedText(files: string[], other: string): string {
  return `The changes that you and ${other} have made in your worktrees so far cannot be merged: ${namedFiles(files)}. The one who completes second will have to resolve it; agree with ${other} who changes what.`;
}

export function predictedForLead({ pair: [one, other], files }: Predicted): string {
  return `The worktrees of ${one} and ${other} cannot be merged in their current state: ${namedFiles(files)}. The one who completes second will be asked to resolve it; change the tasks if that is too much.`;
}

export function remadeText(folder: string): string {
  return `Your worktree ${folder} had been deleted, and was created again from its branch: what was not committed in it is lost.`;
}
