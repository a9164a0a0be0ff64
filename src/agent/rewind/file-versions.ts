// Earlier contents of files that this session's Write and Edit changed, in order. They are kept beside the transcript for its user alone, unredacted,
// because a file could not be restored otherwise.
import { createHash } from "node:crypto";
import type { BoardDisk } from "../../board/disk.ts";
import { beginningOfLine, jsonLines } from "../session/json-lines.ts";

export type VersionsDisk = Pick<BoardDisk, "read" | "replace" | "append" | "list" | "makeFolder" | "remove" | "size" | "changedAt">;

/** The digest of a file's content; null if there is no file. */
export type Digest = string | null;

/** `line`: when the person's line that caused the change was taken in. `written`: unknown for a change that a kill interrupted. */
export type FileChange = { path: string; before: Digest; after: Digest; line: string; written?: boolean };

/** `from`: what the rewind replaced. `to`: what it put back. */
export type UndoneFile = { path: string; from: Digest; to: Digest };

export interface FileVersions {
  /** Changes belong to this line of the person's from now on. */
  lineBegins(at: string): void;
  /** Keeps the current content. Durable before it returns, so that a change is recorded before it is made; the returned function records its outcome. */
  begin(change: { path: string; before: Buffer | undefined; after: Buffer | undefined }): (written: boolean) => void;
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

/** `largest`: of one content. `most`: of all, as they lie there; the oldest make room. */
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
  const changes: FileChange[] = [];
  const ended = new Set<string>();
  let line = "";
  let opening = beginningOfLine(before);
  // a change whose line is torn was not started
  for (const entry of jsonLines<Entry>(before?.toString("utf8") ?? "")) apply(entry);

  function apply(entry: Entry): void {
    if (entry.kind === "change") changes.push(entry.change);
    else if (entry.kind === "rewound") ended.add(entry.at);
    else if (changes[entry.change]) changes[entry.change]!.written = entry.written;
  }

  function record(entry: Entry, durable: boolean): void {
    disk.append(log, `${opening}${JSON.stringify(entry)}\n`, { durable });
    opening = "";
    apply(entry);
  }

  const pathOf = (digest: string) => `${folder}/${digest}`;

  /** In base64: this disk writes texts. */
  function keep(digest: string, bytes: Buffer): void {
    if (bytes.length > largest || disk.size(pathOf(digest)) !== undefined) return;
    const text = bytes.toString("base64");
    makeRoom(text.length);
    disk.replace(pathOf(digest), text);
  }

  function makeRoom(needed: number): void {
    const kept = disk.list(folder).filter((name) => digests.test(name));
    const all = kept.map((name) => ({ name, size: disk.size(pathOf(name)) ?? 0, at: disk.changedAt(pathOf(name))?.getTime() ?? 0 }));
    let used = all.reduce((sum, { size }) => sum + size, needed);
    for (const { name, size } of all.toSorted((a, b) => a.at - b.at)) {
      if (used <= most) return;
      disk.remove(pathOf(name));
      used -= size;
    }
  }

  return {
    lineBegins(at) {
      line = at;
    },
    begin({ path, before, after }) {
      disk.makeFolder(folder);
      const change = { path, before: digestOf(before), after: digestOf(after), line };
      if (before && change.before !== null) keep(change.before, before);
      const number = changes.length;
      record({ kind: "change", change }, true);
      return (written) => record({ kind: "written", change: number, written }, false);
    },
    changes: () => changes,
    content(digest) {
      const text = disk.read(pathOf(digest))?.toString("latin1");
      const bytes = text === undefined ? undefined : Buffer.from(text, "base64");
      return bytes && digestOf(bytes) === digest ? bytes : undefined;
    },
    rewindEnded(at) {
      try {
        record({ kind: "rewound", at }, true);
      } catch {
        ended.add(at); // the disk is full
      }
    },
    hasEnded: (at) => ended.has(at),
    undone: () => undoneBy([...ended].at(-1), changes),
  };
}

function undoneBy(at: string | undefined, changes: readonly FileChange[]): { at: string; files: UndoneFile[] } | undefined {
  const own = changes.filter(({ line, written }) => line === at && written === true);
  return at === undefined ? undefined : { at, files: own.map(({ path, before: from, after: to }) => ({ path, from, to })) };
}

/** The folder of the versions, beside the session's transcript. */
export function versionsFolder(transcript: string): string {
  return `${transcript.slice(0, -".jsonl".length)}/versions`;
}

/** As the disk of the file tools gives versions. */
export function digestOf(bytes: Buffer): string;
export function digestOf(bytes: Buffer | undefined): Digest;
export function digestOf(bytes: Buffer | undefined): Digest {
  return bytes === undefined ? null : createHash("sha256").update(bytes).digest("hex");
}

const digests = /^[0-9a-f]{64}$/;
