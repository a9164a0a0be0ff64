// What the board needs of a disk. Everything is synchronous: a critical section is short and never waits for anything else.

/** What it throws has changed nothing: an error after the moment at which others see the change is none of the change. */
export interface BoardDisk {
  /** Undefined when there is no such file. */
  read(path: string): Buffer | undefined;
  /** Writes a temporary file beside it, fsyncs, renames and fsyncs the folder. `keep`: the old file stays under that path (hard link). */
  replace(path: string, text: string, options?: { keep?: string; throughLink?: boolean }): void;
  /**
   * One write at the end of the file, so that lines of several processes never mix. Creates it 0600. What was written outlives the
   * process; with `durable` it is on the disk itself before this returns, or, with "soon", a moment later.
   */
  append(path: string, text: string, options?: { durable?: boolean | "soon" }): void;
  /** Writes `text` under `temporary`, fsyncs, and links it to `path`. False when `path` exists already; the temporary name is gone either way. */
  publish(temporary: string, path: string, text: string): boolean;
  /** Renames within one file system. False when `from` does not exist. */
  move(from: string, to: string): boolean;
  /** Names in the folder, sorted; empty when there is no such folder. */
  list(folder: string): string[];
  /**
   * Creates it and its parents, 0700 whatever the umask. Without `durable` a power cut can undo it until the folder above it is synced, as
   * `replace` of a file beside it does.
   */
  makeFolder(path: string, options?: { durable: boolean }): void;
  /** Nothing happens when it does not exist. */
  remove(path: string): void;
  /** One that has something in it stays. */
  removeEmptyFolder(path: string): void;
  /** Bytes from `offset` to the end, and the file's size; for following a log. */
  readFrom(path: string, offset: number): { bytes: Buffer; size: number };
  size(path: string): number | undefined;
  /** When it was last written; undefined when there is no such file. */
  changedAt(path: string): Date | undefined;
}

/**
 * A disk for a process that lives long: what it cannot write now it keeps, and writes it later in the same order. Its reads see what is
 * kept of whole files. Lists and moves are the disk's own.
 */
export interface PatientDisk extends BoardDisk {
  /** The same without patience: it writes, or throws. For what is decided by whether it was written. */
  now: BoardDisk;
  /** Tries again while the disk refuses for a reason that passes. Throws other faults, and this one when it lasts too long. */
  untilDone<T>(attempt: () => T | Promise<T>): Promise<T>;
  /** Resolves when everything that was asked for is on disk, or the signal aborts. Throws when waiting was given up. */
  written(signal?: AbortSignal): Promise<void>;
  /** The process ends: what is kept is tried once more, and nobody waits from now on. */
  hurry(): void;
  /** How many writes are kept. */
  unwritten(): number;
}

/** A process as the process table knows it: a pid alone is reused. */
export type ProcessIdentity = { machine: string; boot: string; namespace: string; pid: number; start: string };

/** What was found where a lock or a life claim was wanted. */
export type Holder = { kind: "alive"; pid: number } | { kind: "elsewhere"; where: string };

export interface Lock {
  /**
   * Runs `work` while holding the lock whose claims are in `folder`. `work` is synchronous. Rejects with an error named `LockTimeout`,
   * naming the holder, after `timeoutMs` (10 s when not given).
   */
  withLock<T>(folder: string, work: () => T, options?: { timeoutMs?: number }): Promise<T>;
  /** Claims `folder` for this process's life, once, without waiting. */
  claimForLife(folder: string): { ok: true; release: () => void } | { ok: false; holder: Holder };
  /** Who holds `folder` now; undefined when nobody that lives. */
  holder(folder: string): Holder | undefined;
}

export interface Watch {
  /** Calls `onChange` soon after something changes in one of the folders, and every `pollMs` in any case. Returns the way to stop. */
  watch(folders: string[], onChange: () => void, options: { pollMs: number }): () => void;
}
