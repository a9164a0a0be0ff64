// What the file tools need of a disk. The guard of permissions/ and the real disk of edge/ both have this shape, so that no tool
// can tell them apart. Every outcome is a value: a file that is missing or out of bounds is something a model can react to.

/**
 * What a file held: a digest of its bytes. The same bytes are the same version, so a touch, or a checkout that brings the same
 * content back, is no change.
 */
export type Version = string;

/** Why nothing was done, by a rule or by the disk, as the second half of a sentence: `it is a FIFO, and reading it could wait for ever`. */
export type Refused = { kind: "refused"; reason: string };

/** `path` is the one name of that file: links followed, relative to the working directory when inside it. */
export type FileRead = {
  kind: "file";
  path: string;
  bytes: Buffer;
  version: Version;
  /** Of the file itself, where the bytes are not all its own. */
  size?: number;
  /** What stands in the bytes in the place of something else, such as of a secret: in order, as often as it does. Each is indivisible. */
  placeholders?: string[];
  /** Its lines, each as it may be shown, numbered as in the file itself: `bytes` may have fewer. Undefined if they are those of `bytes`. */
  lines?: () => Promise<string[] | undefined>;
};
export type ReadOutcome = FileRead | { kind: "missing"; path: string } | { kind: "folder"; path: string } | Refused;

/** `changed`: what was found is not what was expected, and nothing was written. */
export type WriteOutcome = { kind: "written"; path: string; version: Version; size?: number } | { kind: "changed"; path: string } | Refused;

export type RemoveOutcome = { kind: "removed"; path: string } | { kind: "changed"; path: string } | Refused;

/** Files below a folder, relative to it and sorted. `folder` is its one name; asked for a file, it is that file alone in its folder. */
export type WalkOutcome = { kind: "files"; folder: string; paths: string[]; cut: Cut } | { kind: "missing"; path: string } | Refused;

/** `path` is relative to `folder`; `line` counts from 1; `text` may be cut. */
export type Match = { path: string; line: number; text: string };
export type SearchOutcome = { kind: "matches"; folder: string; matches: Match[]; cut: Cut } | { kind: "missing"; path: string } | Refused;

/** Whether something is left out: nothing, what came after the limit, or what was not reached in time. */
export type Cut = "nothing" | "limit" | "time";

export type SearchQuery = {
  /** A regular expression, tried on each line. */
  pattern: string;
  ignoreCase: boolean;
  /** A match may go over several lines, each of which is then a match; `.` is a line's end too. */
  multiline?: boolean;
  /** Which files, by their path relative to the folder. */
  keep: (path: string) => boolean;
  signal: AbortSignal;
};

export interface Disk {
  /** Never waits for a FIFO or a device: those are refused. */
  read(path: string): Promise<ReadOutcome>;
  /**
   * Replaces the file in one step, or makes it with its folders; only while it is as `expected`, where undefined means that there is
   * none. Keeps the mode of what it replaces.
   */
  write(path: string, content: { bytes: Buffer; expected: Version | undefined }): Promise<WriteOutcome>;
  /** Names in a folder, sorted; none when it cannot be listed. */
  names(folder: string): Promise<string[]>;
  /** Files that .gitignore does not exclude; never .git, node_modules or anything behind a link. */
  walk(folder: string, signal: AbortSignal): Promise<WalkOutcome>;
  /** When each of the files that a walk of this folder has found was last changed, in milliseconds; 0 for what is gone. */
  modified(folder: string, paths: string[]): Promise<number[]>;
  search(folder: string, query: SearchQuery): Promise<SearchOutcome>;
}

/**
 * The disk below the guard. It takes absolute paths, and except for `real` it takes them literally: a link anywhere in the path
 * is refused, so that what was judged is what is touched, whatever was swapped in between.
 */
export interface RealDisk extends Disk {
  /** The absolute path with all links followed, also for what does not exist yet. */
  real: (path: string) => Promise<string>;
  /** Only while it is as `expected`. */
  remove(path: string, expected: Version): Promise<RemoveOutcome>;
}
