// Finds what has changed of the kept files since they were copied, and records it as changes by commands.
import type { RealDisk } from "../../tools/disk.ts";
import type { SeenFile, UnsavedFiles } from "../ports/at-stake.ts";
import { type Digest, digestOf, type FileChange, type FileVersions } from "./file-versions.ts";
import type { KeptCopies, KeptCopy } from "./kept-copies.ts";
import type { WorkChange } from "./unsaved-words.ts";

export type ChangesSetup = {
  versions: FileVersions;
  copies: KeptCopies;
  files: Pick<UnsavedFiles, "see">;
  /** Those of the paths whose content the last commit has. */
  committed(paths: readonly string[]): Promise<ReadonlySet<string>>;
  read: RealDisk["read"];
  /** Called before changes are recorded, by which the oldest copies make room. */
  putAside(persons: readonly WorkChange[]): Promise<void>;
  /** Whether a command of the session ran at this time. */
  ranAt(ms: number): boolean;
};

/**
 * What counts as a command's change: everything, what is lost (gone, empty, or as the last commit has it), or what is gone or empty and what was
 * changed by then (milliseconds).
 */
export type Counted = "all" | "lost" | { until: number };

export async function unsavedChanges(counted: Counted, setup: ChangesSetup): Promise<WorkChange[]> {
  const { versions, copies, files } = setup;
  const last = new Map(versions.changes().flatMap((change, at) => (change.written === false ? [] : [[change.path, { change, at }]])));
  const found: Found[] = [];
  const touched = [...copies.now().values()].flatMap((kept) => {
    const seen = files.see(kept.path);
    return seen?.identity === kept.identity ? [] : [{ kept, seen }];
  });
  const rest = counted === "lost" ? touched.filter(({ kept, seen }) => !isGone(kept, seen)) : [];
  const reverted = rest.length > 0 ? await setup.committed(rest.map(({ kept: { path } }) => path)) : new Set();
  for (const { kept, seen } of touched)
    if (isGone(kept, seen) || reverted.has(kept.path) || counts(counted, seen))
      found.push(await foundOf({ kept, seen, last: last.get(kept.path) }, setup));
  await setup.putAside(found.flatMap(({ news }) => (news && !news.isOwn ? [news] : [])));
  versions.madeByCommand(found.flatMap(({ change }) => change ?? []));
  copies.drop(found.flatMap(({ kept, touched }) => (touched ? [] : kept.path)));
  copies.add(found.flatMap(({ touched }) => touched ?? []));
  return found.flatMap(({ news }) => news ?? []);
}

/** `touched`: it holds what it held. */
type Found = { kept: KeptCopy; change?: Parameters<FileVersions["madeByCommand"]>[0][number]; touched?: KeptCopy; news?: WorkChange };
type Last = { change: FileChange; at: number };
type Compared = { kept: KeptCopy; seen: SeenFile | undefined; last: Last | undefined };

async function foundOf({ kept, seen, last }: Compared, { copies, read, ranAt }: ChangesSetup): Promise<Found> {
  const { path, copy, mode } = kept;
  const now = await read(path);
  const after: Digest = now.kind === "file" ? now.version : null;
  const isSince = last !== undefined && last.at >= kept.changes;
  const held = isSince ? last.change.after : digestIn(copies, copy);
  if (held === after && !isSince && seen) return { kept, touched: { ...kept, identity: seen.identity, mode: seen.mode } };
  if (held === undefined || held === after) return { kept };
  const change = { path, before: held, after, mode, ...(!isSince && { copy }) };
  if (held === null) return { kept, change };
  const state = now.kind === "missing" ? "gone" : seen?.size === 0 ? "emptied" : "changed";
  return { kept, change, news: { path, state, copy, isOwn: last?.change.after === held || ranAt(kept.changedMs) } };
}

const isGone = (kept: KeptCopy, seen: SeenFile | undefined) => !seen || (seen.size === 0 && kept.size > 0);

function counts(counted: Counted, seen: SeenFile | undefined): boolean {
  if (typeof counted !== "object") return counted === "all";
  return seen !== undefined && seen.changedMs <= counted.until;
}

function digestIn(copies: KeptCopies, copy: string): string | undefined {
  const bytes = copies.read(copy);
  return bytes && digestOf(bytes);
}
