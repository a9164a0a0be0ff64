// The port for a repository's history and index; edge/git implements it.
import type { HiddenHistory, IsHidden, OtherVersion } from "../permissions/paths/hidden-history.ts";

/** `path` is absolute, `id` git's name for the content, `mtime` in whole seconds; `mode` and size are git's too. */
export type TrackedFile = { path: string; id: string; mode: string; size: number; mtime: number };

/** How often HEAD has moved so far. */
export type HeadMark = { log: string; bytes: number };

export type HistoryOptions = {
  /** The file of attributes, made with the first look. */
  file: string;
  /** Its line for a path below the repository's root, whose name is bytes, as in latin1. */
  lineOf: (path: string) => string;
  /** For the hook that scans commits: what is hidden in each repository. */
  list: string;
};

export type RepositoryHistory = {
  /**
   * Looks for what is new in the repositories of these folders, and writes the file again where that counts. `isHidden` is another one where
   * rules have changed, and undefined if none hides anything.
   */
  survey(folders: string[], isHidden: IsHidden | undefined): Promise<HiddenHistory>;
  /** What is hidden and in the index of one of these repositories, as it was at the last look: the same list while it is the same. */
  tracked(): TrackedFile[];
  /** Which of these revisions, where they are some in one of the folders, have another version of a hidden file than the index. */
  others(folders: string[], revisions: string[]): Promise<OtherVersion[]>;
  /**
   * Of what was tracked before: where the index has continued to another version, or to none, and the file has not, as absolute paths. To be
   * asked after a look.
   */
  leftBehind(before: TrackedFile[]): Promise<string[]>;
  /** Whether an index is another than at the last look. */
  isStale(): boolean;
  close(): void;
};
