// The worktrees of a team: one for each teammate, on a branch of its own, and one branch that gets what tasks have completed. The port of
// edge/git/team-worktrees.ts, and what members and people are told.
import { z } from "zod";
import { namedFiles } from "../board/overlap-notices.ts";
import type { Task } from "../board/task.ts";

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

/** A file that git could not merge. `marked`: both versions stand in it between markers; else it has the version of the worktree's owner. */
export type ConflictFile = { path: string; marked: boolean };

/**
 * `conflict`: the other side is in the worktree now, and its owner resolves it there. `remade`: nothing was merged, because somebody had deleted the
 * worktree; it was created again from its branch.
 */
export type Merged =
  | { kind: "merged"; commit: string }
  | { kind: "remade" }
  | { kind: "conflict"; files: ConflictFile[] }
  | { kind: "refused"; reason: string };

/** Two teammates whose work could not be merged in its current state. */
export type Predicted = { pair: [string, string]; files: string[] };

/** `why`: the second half of a sentence that begins with the worktree. `isThere`: else only its branch is left. */
export type KeptTree = { name: string; folder: string; branch: string; why: string; isThere: boolean };

export type Handed = { commits: number; tip: string | undefined };

/** Nothing of the person's working tree, index, HEAD, stash and settings is touched. Every operation can be repeated after a kill. */
export type TeamTrees = {
  /** Below its root the team's folder lies as in the person's tree. */
  folderOf(name: string): string;
  branchOf(name: string): string;
  /** The branch that gets what tasks have completed. */
  merged: string;
  /** Makes the worktree where it is not there, from its branch if that is left. */
  add(name: string): Promise<{ ok: true } | { ok: false; reason: string }>;
  /** Commits what the teammate has left, and merges its branch into that of the team. */
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

/** Of a team that is resumed, whose branch somebody has deleted. Undefined where nothing was lost with it. */
export function lostWorkText(merged: string, tasks: Task[]): string | undefined {
  const done = tasks.filter(({ status }) => status === "completed").map(({ id }) => id);
  if (done.length === 0) return undefined;
  return `The branch ${merged} is gone, and with it what ${done.join(", ")} had merged there; it begins anew. git fsck --lost-found names its last commit as long as git has it.`;
}

export function conflictText(id: string, files: ConflictFile[]): string {
  const lines = files.map(({ path, marked }) =>
    marked
      ? `- ${path}: both versions stand between markers. Merge them and remove the markers`
      : `- ${path}: it cannot be merged as text, and has your version. Keep it, or create the file again`,
  );
  return `Cannot complete "${id}" yet: others have changed the same places, and their changes are in your worktree now.\n${lines.join("\n")}\nCheck everything again, and then complete the task.`;
}

export function updateConflictText(files: ConflictFile[]): string {
  return `Work that others have completed was merged into your worktree, and these files are in conflict: ${files.map(({ path }) => path).join(", ")}. Resolve them first.`;
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
