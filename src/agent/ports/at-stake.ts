// What git has not stored: named in a question, and copied before commands run.

/** `path`: from the top of the repository; a folder ends in a slash. */
export type Unstored = { path: string; state: "changed" | "untracked" | "ignored" };

export type AtStake = {
  /** Below these absolute paths, or in the whole repository of the folder. Empty if git does not say. */
  uncommitted(folder: string, paths: string[]): Promise<Unstored[]>;
  /** A line for each commit that nothing but this branch leads to. */
  commitsOnlyOn(folder: string, branch: string): Promise<string[]>;
};

/** `identity`: device, inode, size and times; with another one it may be another content. `changedMs`: when its inode last changed. */
export type SeenFile = { identity: string; size: number; mode: number; changedMs: number; writtenMs: number };

/** `top`: of the repository. `isCut`: there are more. `none`: no repository is there. */
export type UnsavedListing =
  | { kind: "files"; top: string; paths: string[]; isCut: boolean }
  | { kind: "none" }
  | { kind: "failed"; why: string };

/** `changed`: it is not the file that was seen any more. `why`: the second half of a sentence. */
export type CopyOutcome = { kind: "copied" } | { kind: "changed" } | { kind: "failed"; why: string };

export type UnsavedFiles = {
  /** The absolute paths of modified and untracked files in the repository of the folder, without those that git ignores. */
  list(folder: string, signal: AbortSignal): Promise<UnsavedListing>;
  /** Those of the paths below the top of a repository whose content the last commit has. */
  committed(top: string, paths: readonly string[], signal: AbortSignal): Promise<string[]>;
  /** Those that git takes for unchanged though its index has another content. Looks only where that has changed since the last call. */
  disguised(top: string, paths: readonly string[], signal: AbortSignal): Promise<string[]>;
  /** Undefined if no regular file is there. */
  see(path: string): SeenFile | undefined;
  /** Copies the file as it was seen; `to` is either the whole copy or not there. */
  copy(path: string, seen: Pick<SeenFile, "identity" | "size">, to: string): Promise<CopyOutcome>;
  /** Removes what a killed process left of copies in the folder. */
  sweep(folder: string): void;
};
