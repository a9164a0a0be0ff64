// The disk operations that the board needs. All are synchronous, because a critical section is short and never waits for anything else.

/** An operation that throws has changed nothing: an error after the change became visible is not reported as an error of the change. */
export interface BoardDisk {
  /** Undefined if there is no such file. */
  read(path: string): Buffer | undefined;
  /**
   * Writes a temporary file beside it, fsyncs it, renames it, and fsyncs the folder. `keep`: the old file stays under that path (hard link).
   * `durable: false` for what is of use only while its process lives: nothing is synced, so that a kill leaves the old text or the new, and a power cut
   * perhaps neither. `shared`: a file of the person's repository, which keeps its mode, or is made as their umask says.
   */
  replace(path: string, text: string, options?: { keep?: string; throughLink?: boolean; durable?: boolean; shared?: boolean }): void;
  /**
   * Appends with a single write, so that lines of several processes never mix. Creates the file with mode 0600. The text survives a kill of the
   * process; with `durable` it is on disk before this returns, or with "soon" a moment later. `shared`: as for `replace`.
   */
  append(path: string, text: string, options?: { durable?: boolean | "soon"; shared?: boolean }): void;
  /**
   * Writes `text` under `temporary`, fsyncs it, and links it to `path`. Returns false if `path` exists. The temporary name is removed in either case.
   */
  publish(temporary: string, path: string, text: string): boolean;
  /** Renames within one file system. Returns false if `from` does not exist. */
  move(from: string, to: string): boolean;
  /** The names in the folder, sorted; empty if there is no such folder. */
  list(folder: string): string[];
  /**
   * Creates the folder and its parents with mode 0700, whatever the umask. With `durable: false` a power cut can undo it until the parent
   * folder is synced, which `replace` of a file beside it does. `shared`: in the person's repository, as their umask says.
   */
  makeFolder(path: string, options?: { durable?: boolean; shared?: boolean }): void;
  /** A missing file is no error. */
  remove(path: string): void;
  /** A folder that is not empty stays. */
  removeEmptyFolder(path: string): void;
  /** The bytes from `offset` to the end, and the file's size; for following a log. */
  readFrom(path: string, offset: number): { bytes: Buffer; size: number };
  size(path: string): number | undefined;
  /** When the file was last written; undefined if there is no such file. */
  changedAt(path: string): Date | undefined;
}

/**
 * A disk for long-lived processes: it queues what it cannot write, and writes it later in the same order. Reading a whole file sees queued writes;
 * listing and moving do not.
 */
export interface PatientDisk extends BoardDisk {
  /** The same disk without the queue: it writes or throws. For decisions that depend on whether a write succeeded. */
  now: BoardDisk;
  /** Retries while the disk refuses for a temporary reason. Throws other errors at once, and this one if it lasts too long. */
  untilDone<T>(attempt: () => T | Promise<T>): Promise<T>;
  /** Resolves when all queued writes are on disk, or when the signal aborts. Throws if the disk gave up retrying. */
  written(signal?: AbortSignal): Promise<void>;
  /** For the end of the process: tries the queued writes once more; nothing waits from then on. */
  hurry(): void;
  /** The number of queued writes. */
  unwritten(): number;
  /** Why the last of them was refused that had no success later. */
  refusal(): DiskRefusal;
}

/** `words`: the first half of a sentence. `advice`: what a person does about it, a sentence without its full stop. */
export type DiskRefusal = { words: string; advice: string };

/** Identifies a process; a pid alone can be reused. */
export type ProcessIdentity = { machine: string; boot: string; namespace: string; pid: number; start: string };

/** The holder of a lock or of a life claim. */
export type Holder = { kind: "alive"; pid: number } | { kind: "elsewhere"; where: string };

export interface Lock {
  /**
   * Runs `work`, which is synchronous, while holding the lock whose claims are in `folder`. Rejects with an error named `LockTimeout` that names the
   * holder after `timeoutMs` (default 10 s).
   */
  withLock<T>(folder: string, work: () => T, options?: { timeoutMs?: number }): Promise<T>;
  /** Claims `folder` for the life of this process. Tries once, without waiting. */
  claimForLife(folder: string): { ok: true; release: () => void } | { ok: false; holder: Holder };
  /** The live holder of `folder`; undefined if there is none. */
  holder(folder: string): Holder | undefined;
}

export interface Watch {
  /** Calls `onChange` soon after a change in one of the folders, and every `pollMs` in any case. Returns a function that stops it. */
  watch(folders: string[], onChange: () => void, options: { pollMs: number }): () => void;
}
