// What git has not stored, asked for a question only.

/** `path`: from the top of the repository; a folder ends in a slash. */
export type Unstored = { path: string; state: "changed" | "untracked" | "ignored" };

export type AtStake = {
  /** Below these absolute paths, or in the whole repository of the folder. Empty if git does not say. */
  uncommitted(folder: string, paths: string[]): Promise<Unstored[]>;
  /** A line for each commit that nothing but this branch leads to. */
  commitsOnlyOn(folder: string, branch: string): Promise<string[]>;
};
