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
  /** Files of the working tree; undefined outside a repository. */
  files: GitFiles | undefined;
  configFolder: ConfigFolder;
};

/** Paths relative to the working directory. `uncovered`: no rule of .gitignore covers them. A file may be in both lists. */
export type GitFiles = { tracked: string[]; uncovered: string[] };

/** `there`: usable, with these permission bits. `absent`: it can be made. `refused`: the error of the system. */
export type ConfigFolder = { kind: "there"; mode: number } | { kind: "absent" } | { kind: "refused"; path: string; code: string };
