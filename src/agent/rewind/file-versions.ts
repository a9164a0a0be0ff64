// Earlier contents of files that this session's Write and Edit changed, in order. They are kept beside the transcript for its user alone, unredacted,
// because a file could not be restored otherwise.
import { createHash } from "node:crypto";
import type { BoardDisk } from "../../board/disk.ts";
import { beginningOfLine, jsonLines } from "../session/json-lines.ts";

export type VersionsDisk = Pick<BoardDisk, "read" | "replace" | "append" | "list" | "makeFolder" | "remove" | "size" | "changedAt">;

/** The digest of a file's content; null if there is no file. */
export type Digest = string | null;

/**
 * `line`: when the person's line that caused the change was taken in. `written`: unknown for a change that a kill interrupted. A command's:
 * `copy` has what the file held before, and `mode` is the file's.
 */
export type FileChange = { path: string; before: Digest; after: Digest; line: string; written?: boolean; copy?: string; mode?: number };

/** `from`: what the rewind replaced. `to`: what it put back. */
export type UndoneFile = { path: string; from: Digest; to: Digest };

export interface FileVersions {
  /** Where they are kept. */
  disk: VersionsDisk;
  folder: string;
  /** Changes belong to this line of the person's from now on. */
  lineBegins(at: string): void;
  /** The line that changes belong to now. */
  line(): string;
  /** Keeps the current content. Durable before it returns, so that a change is recorded before it is made; the returned function records its outcome. */
  begin(change: { path: string; before: Buffer | undefined; after: Buffer | undefined }): (written: boolean) => void;
  /** A command has made these changes. Durable before it returns. */
  madeByCommand(changes: readonly Pick<FileChange, "path" | "before" | "after" | "copy" | "mode">[]): void;
  /** All of them, in order. */
  changes(): readonly FileChange[];
  /** Undefined when it was too large, or had to make room. */
  content(digest: string): Buffer | undefined;
  /** All files of the recorded rewind have been handled. If this cannot be recorded, they are checked once more. */
  rewindEnded(at: string): void;
  hasEnded(at: string): boolean;
  /** What the newest rewind has put back. */
  undone(): { at: string; files: UndoneFile[] } | undefined;
}

/** `largest`: of one content. `most`: of all, as they lie there, and again of all copies of what commands have changed; the oldest make room. */
export type VersionLimits = { largest: number; most: number };

const limits: VersionLimits = { largest: 8 * 1024 * 1024, most: 128 * 1024 * 1024 };

type Entry =
  | { kind: "change"; change: FileChange }
  | { kind: "written"; change: number; written: boolean }
  | { kind: "rewound"; at: string };

/** Reads what earlier processes of the session have kept in `folder`. */
export function openFileVersions(disk: VersionsDisk, folder: string, { largest, most }: VersionLimits = limits): FileVersions {
  const log = `${folder}/changes.jsonl`;
  const before = disk.read(log);
  const contents = versionContents({ disk, folder, largest, most });
  const changes: FileChange[] = [];
  const ended = new Set<string>();
  let line = "";
  let opening = beginningOfLine(before);
  // a change whose line is torn was not started
  for (const entry of jsonLines<Entry>(before?.toString("utf8") ?? "")) apply(entry);

  function apply(entry: Entry): void {
    if (entry.kind === "change") {
      const { before: digest, copy } = entry.change;
      changes.push(entry.change);
      if (digest !== null && copy !== undefined) contents.isIn(copy, digest);
    } else if (entry.kind === "rewound") ended.add(entry.at);
    else if (changes[entry.change]) changes[entry.change]!.written = entry.written;
  }

  function record(entries: readonly Entry[], durable: boolean): void {
    disk.append(log, `${opening}${entries.map((entry) => `${JSON.stringify(entry)}\n`).join("")}`, { durable });
    opening = "";
    for (const entry of entries) apply(entry);
  }

  return {
    disk,
    folder,
    lineBegins(at) {
      line = at;
    },
    line: () => line,
    begin({ path, before, after }) {
      disk.makeFolder(folder);
      const change = { path, before: digestOf(before), after: digestOf(after), line };
      if (before && change.before !== null) contents.keep(change.before, before);
      const number = changes.length;
      record([{ kind: "change", change }], true);
      return (written) => record([{ kind: "written", change: number, written }], false);
    },
    madeByCommand(made) {
      if (made.length === 0) return;
      disk.makeFolder(folder);
      record(
        made.map((change) => ({ kind: "change", change: { ...change, line, written: true } })),
        true,
      );
      contents.limitCopies();
    },
    changes: () => changes,
    content: contents.read,
    rewindEnded(at) {
      try {
        record([{ kind: "rewound", at }], true);
      } catch {
        ended.add(at); // the disk is full
      }
    },
    hasEnded: (at) => ended.has(at),
    undone: () => undoneBy([...ended].at(-1), changes),
  };
}

/** What files held: of changes by Write, Edit and rewinds under its digest, of changes by commands in the copy that was made before. */
function versionContents({ disk, folder, largest, most }: { disk: VersionsDisk; folder: string } & VersionLimits) {
  const pathOf = (digest: string) => `${folder}/${digest}`;
  /** The paths of copies, by digest. */
  const copies = new Map<string, string[]>();
  return {
    /** In base64: this disk writes texts. */
    keep(digest: string, bytes: Buffer): void {
      if (bytes.length > largest || disk.size(pathOf(digest)) !== undefined) return;
      const text = bytes.toString("base64");
      const kept = disk.list(folder).filter((name) => digests.test(name));
      removeOldest(kept.map(pathOf), { disk, most: most - text.length });
      disk.replace(pathOf(digest), text);
    },
    isIn(copy: string, digest: string): void {
      copies.set(digest, [...(copies.get(digest) ?? []), `${copiesFolder(folder)}/${copy}`]);
    },
    limitCopies: () => removeOldest([...copies.values()].flat(), { disk, most }),
    read(digest: string): Buffer | undefined {
      const isIt = (bytes: Buffer | undefined) => bytes !== undefined && digestOf(bytes) === digest;
      const text = disk.read(pathOf(digest))?.toString("latin1");
      const whole = text === undefined ? undefined : Buffer.from(text, "base64");
      return isIt(whole) ? whole : (copies.get(digest) ?? []).map((path) => disk.read(path)).find(isIt);
    },
  };
}

/** Removes files until the rest has at most so many bytes. */
function removeOldest(paths: readonly string[], { disk, most }: { disk: VersionsDisk; most: number }): void {
  const all = paths.map((path) => ({ path, size: disk.size(path) ?? 0, at: disk.changedAt(path)?.getTime() ?? 0 }));
  let used = all.reduce((sum, { size }) => sum + size, 0);
  for (const { path, size } of all.toSorted((a, b) => a.at - b.at)) {
    if (used <= most) return;
    disk.remove(path);
    used -= size;
  }
}

function undoneBy(at: string | undefined, changes: readonly FileChange[]): { at: string; files: UndoneFile[] } | undefined {
  const own = changes.filter(({ line, written }) => line === at && written === true);
  return at === undefined ? undefined : { at, files: own.map(({ path, before: from, after: to }) => ({ path, from, to })) };
}

/** The folder of the versions, beside the session's transcript. */
export function versionsFolder(transcript: string): string {
  return `${transcript.slice(0, -".jsonl".length)}/versions`;
}

/** The folder of the copies in that of the versions: files as they were, each under a name of its own. */
export const copiesFolder = (folder: string): string => `${folder}/copies`;

/** As the disk of the file tools gives versions. */
export function digestOf(bytes: Buffer): string;
export function digestOf(bytes: Buffer | undefined): Digest;
export function digestOf(bytes: Buffer | undefined): Digest {
  return bytes === undefined ? null : createHash("sha256").update(bytes).digest("hex");
}

const digests = /^[0-9a-f]{64}$/;
