// Which copies there are of files that git does not have, written down before a command runs: what a kill interrupts then is known.
import { createHash } from "node:crypto";
import { beginningOfLine, jsonLines } from "../session/json-lines.ts";
import { copiesFolder, type FileVersions } from "./file-versions.ts";

/**
 * `identity`, `size`, `mode` and `changedMs`: of the file when it was copied. `copy`: the name of the copy. `changes`: how many changes of files
 * the session had recorded by then.
 */
export type KeptCopy = { path: string; identity: string; size: number; mode: number; changedMs: number; copy: string; changes: number };

export interface KeptCopies {
  /** By path. */
  now(): ReadonlyMap<string, KeptCopy>;
  /** Where a copy is, or is to be. */
  pathOf(copy: string): string;
  isThere(copy: string): boolean;
  read(copy: string): Buffer | undefined;
  /** They are what there is of these files from now on. */
  add(files: readonly KeptCopy[]): void;
  /** The files are not looked after any more. Copies stay that a recorded change needs. */
  drop(paths: readonly string[]): void;
  /** A command begins, in this tree or in another one of the repository; written down before it does. */
  begins(at: string, where: Where): void;
  ends(where: Where): void;
  /** Whether commands of an earlier process have run whose end is not known; `since`: when those in this tree began. */
  interrupted(): { since: string | undefined } | undefined;
  /** What they did is known. */
  settled(): void;
}

export type Where = "here" | "beside";

type Entry =
  | { kind: "kept"; file: KeptCopy }
  | { kind: "dropped"; path: string }
  | { kind: "begun"; at: string; where?: Where }
  | { kind: "ended"; where?: Where }
  | { kind: "settled" };

/** Reads what earlier processes of the session have written. */
export function openKeptCopies(versions: Pick<FileVersions, "disk" | "folder" | "changes">): KeptCopies {
  const { disk, folder } = versions;
  const log = logOf(folder);
  const copies = copiesFolder(folder);
  const before = disk.read(log);
  const kept = new Map<string, KeptCopy>();
  const running: Record<Where, string[]> = { here: [], beside: [] };
  let opening = beginningOfLine(before);
  for (const entry of jsonLines<Entry>(before?.toString("utf8") ?? "")) apply(entry);
  const interrupted = running.here.length + running.beside.length > 0 ? { since: running.here[0] } : undefined;

  function apply(entry: Entry): void {
    if (entry.kind === "kept") kept.set(entry.file.path, entry.file);
    else if (entry.kind === "dropped") kept.delete(entry.path);
    else if (entry.kind === "begun") running[entry.where ?? "here"].push(entry.at);
    else if (entry.kind === "ended") running[entry.where ?? "here"].shift();
    else {
      running.here = [];
      running.beside = [];
    }
  }

  function record(entries: readonly Entry[]): void {
    if (entries.length === 0) return;
    disk.append(log, `${opening}${entries.map((entry) => `${JSON.stringify(entry)}\n`).join("")}`);
    opening = "";
    for (const entry of entries) apply(entry);
  }

  const pathOf = (copy: string) => `${copies}/${copy}`;
  return {
    now: () => kept,
    pathOf,
    isThere: (copy) => disk.size(pathOf(copy)) !== undefined,
    read: (copy) => disk.read(pathOf(copy)),
    add(files) {
      record(files.map((file) => ({ kind: "kept", file })));
    },
    drop(paths) {
      const gone = paths.flatMap((path) => kept.get(path) ?? []);
      const used = new Set(gone.length > 0 ? versions.changes().map(({ copy }) => copy) : []);
      record(gone.map(({ path }) => ({ kind: "dropped", path })));
      for (const { copy } of gone) if (!used.has(copy)) disk.remove(pathOf(copy));
    },
    begins: (at, where) => record([{ kind: "begun", at, where }]),
    ends: (where) => record([{ kind: "ended", where }]),
    interrupted: () => interrupted,
    settled: () => record([{ kind: "settled" }]),
  };
}

/** Where it is written, in the folder of the versions. */
export const logOf = (folder: string): string => `${folder}/copies.jsonl`;

/** The same file as it was seen has the same copy, in each process of the session. */
export function copyName(path: string, identity: string): string {
  return createHash("sha256").update(`${path}\0${identity}`).digest("hex").slice(0, 32);
}
