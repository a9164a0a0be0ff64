// The facts about this machine that `doctor` judges; edge/processes collects them.

/** An entry of PATH in which only links to root's own programs are used. `why`: the second half of a sentence about it. */
export type SkippedEntry = { entry: string; why: string };

export type Machine = {
  node: string;
  platform: string;
  /** The first line of each program's version output; undefined if the program is missing. */
  programs: Record<"git" | "rg" | "tmux", string | undefined>;
  /** Entries of PATH in which these programs are not searched. */
  skippedEntries: SkippedEntry[];
  /** Files of the working tree that git tracks or would add; undefined outside a repository. */
  files: string[] | undefined;
  /** The permission bits of our configuration folder; undefined while it does not exist. */
  configMode: number | undefined;
};
