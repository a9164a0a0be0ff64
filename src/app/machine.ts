// What `doctor` is told about this machine; edge/processes looks.

/** An entry of PATH of which only links to root's own programs count; `why` is the second half of a sentence about it. */
export type SkippedEntry = { entry: string; why: string };

export type Machine = {
  node: string;
  platform: string;
  /** First line of what each program says of its version; undefined if it is missing. */
  programs: Record<"git" | "rg" | "tmux", string | undefined>;
  /** Entries of PATH in which none of these is looked for. */
  skippedEntries: SkippedEntry[];
  /** Files of the working tree that git keeps or would add; undefined outside a repository. */
  files: string[] | undefined;
  /** Permission bits of our own folder; undefined while it does not exist. */
  configMode: number | undefined;
};
