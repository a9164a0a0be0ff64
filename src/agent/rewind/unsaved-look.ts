// Finds the files whose content git does not have, and copies those that are not kept yet.
import type { SeenFile, UnsavedFiles } from "../ports/at-stake.ts";
import type { FileVersions } from "./file-versions.ts";
import { copyName, type KeptCopies, type KeptCopy } from "./kept-copies.ts";
import { failedWords, leftWords, type NotKept, neverStill, progressWords, tooLarge, tooMany } from "./unsaved-words.ts";

/** `file`: bytes of one. `total` and `count`: of all that are kept at once. */
export type UnsavedLimits = { file: number; total: number; count: number };

export type LookSetup = {
  versions: FileVersions;
  copies: KeptCopies;
  files: UnsavedFiles;
  /** The files below a folder that is in no repository, if they are to be kept. */
  walk(folder: string): Promise<string[]>;
  /** The working directory, and folders that were added. */
  roots(): readonly string[];
  /** Whether no copy may be made of it. */
  isClosed(path: string): boolean;
  /** A path for display. */
  shown(path: string): string;
  monotonicMs(): number;
  limits?: UnsavedLimits;
  /** Tells the person, each text once. */
  say(text: string): void;
  /** Shows those who wait how far it is. */
  progress(text: string): void;
};

export type UnsavedLook = {
  /** Everything that git does not have now, and what Write and Edit have changed in this session. */
  whole(signal: AbortSignal): Promise<void>;
  /** What has been changed through the session since the last look. */
  own(signal: AbortSignal): Promise<void>;
  /** Those of the paths whose content the last commit has, in the repositories of the last look. */
  committed(paths: readonly string[], signal: AbortSignal): Promise<Set<string>>;
  /** After a command: those of the kept files that git has come to take for unchanged, though they are not. */
  disguised(signal: AbortSignal): Promise<Set<string>>;
};

const usualLimits: UnsavedLimits = { file: 10 * 1024 * 1024, total: 200 * 1024 * 1024, count: 5_000 };

/** Other work gets a turn that often. */
const sliceMs = 15;
const mostTries = 3;

type Chosen = { chosen: Map<string, SeenFile>; left: NotKept[] };

export function unsavedLook(setup: LookSetup): UnsavedLook {
  const { versions, copies } = setup;
  const slice = slices(setup.monotonicMs);
  const named = new Set<string>();
  let seenChanges = 0;
  let repositories: readonly string[] = [];

  async function asked(which: "committed" | "disguised", paths: readonly string[], signal: AbortSignal): Promise<Set<string>> {
    const found = repositories.map(async (top) => {
      const below = paths.filter((path) => path.startsWith(`${top}/`));
      return below.length > 0 ? setup.files[which](top, below, signal) : [];
    });
    return new Set((await Promise.all(found)).flat());
  }
  const committed = (paths: readonly string[], signal: AbortSignal) => asked("committed", paths, signal);

  async function keep({ chosen, left }: Chosen, signal: AbortSignal): Promise<void> {
    const made: KeptCopy[] = [];
    let count = 0;
    if (chosen.size > 0) versions.disk.makeFolder(copies.pathOf(""), { durable: false });
    for (const [path, seen] of chosen) {
      if (signal.aborted) break;
      const copy = await keptCopy(path, seen, setup);
      if (copy && "why" in copy) left.push(copy);
      else if (copy) made.push(copy);
      count++;
      if (await slice()) setup.progress(progressWords.copying(count, chosen.size));
    }
    const replaced = made.filter(({ path, copy }) => copies.now().get(path)?.copy !== copy);
    copies.drop(replaced.map(({ path }) => path));
    copies.add(made);
    const news = left.filter(({ path }) => !named.has(path));
    for (const { path } of news) named.add(path);
    if (news.length > 0) setup.say(leftWords(news, setup.shown));
  }

  return {
    async whole(signal) {
      const { listed, tops } = await listedFiles(setup, signal);
      repositories = tops;
      const isListed = new Set(listed);
      // Looked after until a commit has it: that git lists it no more, commands can bring about (`.gitignore`, the index).
      const others = [...copies.now().keys()].filter((path) => !isListed.has(path) && setup.files.see(path));
      const isCommitted = await committed(others, signal);
      const unlisted = others.filter((path) => !isCommitted.has(path));
      if (signal.aborted) return;
      const own = versions.changes().map(({ path }) => path);
      seenChanges = own.length;
      const found = await choose([...new Set([...listed, ...unlisted, ...own])], setup, slice);
      const gone = [...copies.now().keys()].filter((path) => !found.chosen.has(path));
      copies.drop(gone);
      await keep(found, signal);
    },
    async own(signal) {
      const changed = new Set(
        versions
          .changes()
          .slice(seenChanges)
          .map(({ path }) => path),
      );
      seenChanges = versions.changes().length;
      if (changed.size > 0) await keep(await choose([...changed], setup, slice), signal);
    },
    committed,
    disguised: (signal) => asked("disguised", [...copies.now().keys()], signal),
  };
}

async function listedFiles({ roots, files, walk, say }: LookSetup, signal: AbortSignal): Promise<{ listed: string[]; tops: string[] }> {
  const listed: string[] = [];
  const tops: string[] = [];
  for (const root of roots()) {
    if (tops.some((top) => root === top || root.startsWith(`${top}/`))) continue;
    const found = await files.list(root, signal);
    if (found.kind === "failed" && !signal.aborted) say(failedWords(found.why));
    if (found.kind === "files") tops.push(found.top);
    if (found.kind === "files" && found.isCut) say(failedWords("git lists too many files for all to be kept"));
    for (const path of found.kind === "files" ? found.paths : found.kind === "none" ? await walk(root) : []) listed.push(path);
  }
  return { listed, tops };
}

/** Those written last come first where not all are kept. */
async function choose(paths: readonly string[], setup: LookSetup, slice: () => Promise<boolean>): Promise<Chosen> {
  const { limits = usualLimits } = setup;
  const found: { path: string; seen: SeenFile }[] = [];
  for (const path of paths) {
    const seen = path.endsWith("/") || setup.isClosed(path) ? undefined : setup.files.see(path);
    if (seen) found.push({ path, seen });
    if (await slice()) setup.progress(progressWords.looking);
  }
  const left: NotKept[] = [];
  const chosen = new Map<string, SeenFile>();
  let total = 0;
  for (const { path, seen } of found.toSorted((a, b) => b.seen.writtenMs - a.seen.writtenMs)) {
    const isTooLarge = seen.size > limits.file || total + seen.size > limits.total;
    if (isTooLarge) left.push({ path, why: tooLarge(seen.size) });
    else if (chosen.size >= limits.count) left.push({ path, why: tooMany });
    else {
      chosen.set(path, seen);
      total += seen.size;
    }
  }
  return { chosen, left };
}

/** Undefined if it is kept already, or gone. */
async function keptCopy(path: string, seen: SeenFile, { copies, files, versions }: LookSetup): Promise<KeptCopy | NotKept | undefined> {
  let now: SeenFile | undefined = seen;
  for (let tries = 1; now && copies.now().get(path)?.identity !== now.identity; tries++) {
    const { identity, size, mode, changedMs } = now;
    const copy = copyName(path, identity);
    const outcome = copies.isThere(copy) ? { kind: "copied" as const } : await files.copy(path, now, copies.pathOf(copy));
    if (outcome.kind === "copied") return { path, identity, size, mode, changedMs, copy, changes: versions.changes().length };
    if (outcome.kind === "failed") return { path, why: outcome.why };
    if (tries === mostTries) return { path, why: neverStill };
    now = files.see(path);
  }
  return undefined;
}

/** Resolves with whether other work has had a turn. */
function slices(monotonicMs: () => number): () => Promise<boolean> {
  let sinceMs = monotonicMs();
  return async () => {
    if (monotonicMs() - sinceMs < sliceMs) return false;
    await new Promise<void>((resolve) => void setImmediate(resolve));
    sinceMs = monotonicMs();
    return true;
  };
}
