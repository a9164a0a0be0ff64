// The disk as the file tools use it. The guard in permissions/ and the real disk in edge/ both implement it, so no tool can tell them
// apart. Every outcome is a value, because a model can react to a file that is missing or out of bounds.

/** A digest of a file's bytes. A touch, or a checkout that restores the same content, does not change it. */
export type Version = string;

/**
 * Why nothing was done, because of a rule or the disk, as the continuation of a sentence: `it is a FIFO, and reading it could wait for
 * ever`.
 */
export type Refused = { kind: "refused"; reason: string };

/** `path` is the real path: links followed, relative to the working directory if inside it. */
export type FileRead = {
  kind: "file";
  path: string;
  bytes: Buffer;
  version: Version;
  /** The size of the file itself, if `bytes` were changed by redaction. */
  size?: number;
  /** Placeholders in `bytes` that replace other text such as secrets: in order, with repetitions. Each is indivisible. */
  placeholders?: string[];
  /** The lines of the file itself as they may be shown, if `bytes` has different ones. Undefined if they are the lines of `bytes`. */
  lines?: () => Promise<string[] | undefined>;
};
export type ReadOutcome = FileRead | { kind: "missing"; path: string } | { kind: "folder"; path: string } | Refused;

/** `changed`: the file is not at the expected version, and nothing was written. */
/** `outside`: where the file is for the user, if `path` is another one outside the sandbox. */
export type WriteOutcome =
  | { kind: "written"; path: string; version: Version; size?: number; outside?: string }
  | { kind: "changed"; path: string }
  | Refused;

export type RemoveOutcome = { kind: "removed"; path: string } | { kind: "changed"; path: string } | Refused;

/** Files below a folder, sorted and relative to it. `folder` is its real path; for a file, the result is that file in its folder. */
export type WalkOutcome = { kind: "files"; folder: string; paths: string[]; cut: Cut } | { kind: "missing"; path: string } | Refused;

/** `path` is relative to `folder`; `line` counts from 1; `text` may be cut. */
export type Match = { path: string; line: number; text: string };
export type SearchOutcome = { kind: "matches"; folder: string; matches: Match[]; cut: Cut } | { kind: "missing"; path: string } | Refused;

/** What is missing from the result: nothing, results after the limit, or results not reached in time. */
export type Cut = "nothing" | "limit" | "time";

export type SearchQuery = {
  /** A regular expression that is matched against each line. */
  pattern: string;
  ignoreCase: boolean;
  /** A match may span several lines, each of which is reported; `.` also matches a line end. */
  multiline?: boolean;
  /** Which files to search, by their path relative to the folder. */
  keep: (path: string) => boolean;
  signal: AbortSignal;
};

export interface Disk {
  /** Never waits for a FIFO or a device: those are refused. `toWrite`: what a write to the same path would replace. */
  read(path: string, how?: { toWrite?: boolean }): Promise<ReadOutcome>;
  /**
   * Replaces the file atomically, or creates it with its folders, but only if it is at the version `expected`; undefined means that there
   * must be no file. Keeps the mode of a replaced file, unless `mode` says which permission bits it gets.
   */
  write(path: string, content: { bytes: Buffer; expected: Version | undefined; mode?: number }): Promise<WriteOutcome>;
  /** Names in a folder, sorted; empty if it cannot be listed. */
  names(folder: string): Promise<string[]>;
  /** Files that .gitignore does not exclude; never .git, node_modules or anything behind a link. */
  walk(folder: string, signal: AbortSignal): Promise<WalkOutcome>;
  /** Modification times in milliseconds of files that a walk of this folder has found; 0 for a file that is gone. */
  modified(folder: string, paths: string[]): Promise<number[]>;
  search(folder: string, query: SearchQuery): Promise<SearchOutcome>;
}

/**
 * The disk below the guard. It takes absolute paths, and except in `real` it refuses a link anywhere in the path, so that the file that was
 * checked is the file that is used, even if something was swapped in between.
 */
export interface RealDisk extends Disk {
  /** The absolute path with all links followed, even if it does not exist yet. */
  real: (path: string) => Promise<string>;
  /** Removes the file only if it is at the version `expected`. */
  remove(path: string, expected: Version): Promise<RemoveOutcome>;
}
