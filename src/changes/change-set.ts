// What was made apart from the person's tree: a change set for each agent, unit of a batch, task of a team, and session in a worktree. Those who
// made them describe them; git says what is in them (repository.ts).
import { nearNames } from "../wording/near-names.ts";

/**
 * `branch`: everything on a branch of ours since `from`, with what is not committed in its worktree. `range`: a part of such a branch, such as one
 * task of a team's; `whole` is the id of the set with all of it: its own, if nothing is around it.
 */
export type Content =
  | { kind: "branch"; branch: string; from: string; folder: string }
  | { kind: "range"; from: string; tip: string; whole: string };

export type ChangeSet = {
  /** What a person types: `a-3f2a`, `7f3a1c/http`, `atlas/task-4`. */
  id: string;
  /** What it is about, in a few words. */
  what: string;
  /** The agent that made it; empty for a unit. */
  by: string;
  /** How its tests ended, as far as the harness saw it. */
  evidence: { words: string; failed: boolean };
  /** Somebody is still working on it. */
  atWork: boolean;
  content: Content;
  /** Branches and worktrees that go with this set when it is dropped, beside its own. */
  further?: { branch: string; folder: string }[];
};

/** `from`: the earlier path of a renamed file. The counts are null for a binary file. */
export type FileChange = {
  path: string;
  from?: string;
  kind: "added" | "changed" | "deleted" | "renamed" | "mode" | "submodule";
  added: number | null;
  removed: number | null;
};

/**
 * What taking a set would do now. `in_the_way`: the person has changed these files and not committed them. `taken`: everything of it is there, or was
 * taken before.
 */
export type Into =
  | { kind: "merges" }
  | { kind: "conflicts"; files: string[] }
  | { kind: "in_the_way"; files: string[] }
  | { kind: "taken" };

/** `tip`: a commit with everything, uncommitted files too. `rivals`: sets that cannot both be taken without a conflict. */
export type Seen = {
  set: ChangeSet;
  tip: string;
  tree: string;
  uncommitted: string[];
  files: FileChange[];
  into: Into;
  rivals: { id: string; files: string[] }[];
};

export const paths = ({ files }: Pick<Seen, "files">): string[] => files.flatMap(({ path, from }) => (from ? [from, path] : [path]));

/** Added and removed lines; binary files count for nothing. */
export function linesOf({ files }: Pick<Seen, "files">): { added: number; removed: number } {
  const sum = (count: (file: FileChange) => number | null) => files.reduce((total, file) => total + (count(file) ?? 0), 0);
  return { added: sum(({ added }) => added), removed: sum(({ removed }) => removed) };
}

export type Found<T> = { ok: true; found: T[] } | { ok: false; reason: string };

/** The sets with these ids, in this order. The last part of an id is enough if it is the only one. */
export function withIds<T extends { id: string }>(sets: readonly T[], ids: readonly string[]): Found<T> {
  const found: T[] = [];
  for (const wanted of ids) {
    const fitting = sets.filter(({ id }) => id === wanted);
    const named = fitting.length > 0 ? fitting : sets.filter(({ id }) => id.endsWith(`/${wanted}`));
    if (named.length === 1 && named[0]) found.push(named[0]);
    else return { ok: false, reason: notOne(wanted, { named, sets }) };
  }
  return { ok: true, found: [...new Set(found)] };
}

function notOne(wanted: string, { named, sets }: { named: readonly { id: string }[]; sets: readonly { id: string }[] }): string {
  const quoted = JSON.stringify(wanted);
  if (named.length > 1) return `${quoted} can be ${named.map(({ id }) => id).join(" or ")}: name it in full.`;
  const ids = sets.map(({ id }) => id);
  const near = nearNames(wanted, [...ids, ...ids.flatMap((id) => id.split("/").slice(1))]);
  const there =
    ids.length === 0 ? "There are none in this repository" : `There are: ${ids.slice(0, 10).join(", ")}${ids.length > 10 ? ", …" : ""}`;
  return `There are no changes ${quoted}: nobody made them here, or they were dropped. ${near.length > 0 ? `Did you mean ${near.join(" or ")}?` : `${there}.`}`;
}
