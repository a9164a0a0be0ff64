// Which files a rewind restores, and which it leaves alone: pure, from the recorded changes and the current files.
import type { Digest, FileChange } from "./file-versions.ts";

export type FoundNow = { kind: "content"; digest: Digest } | { kind: "other"; why: string };

/** `from`: the current content. `to`: null if the file did not exist then and must be removed. `mode`: the file's then, if it is known. */
export type FileToPutBack = { path: string; from: Digest; to: Digest; mode?: number };
/** `why`: the second half of a sentence. */
export type FileLeft = { path: string; why: string };

export const keptByChoice = "the person chose to keep it";

export type Verdict = { kind: "put_back"; file: FileToPutBack } | { kind: "left"; file: FileLeft } | { kind: "as_it_was" };

/** The changes since the first of these messages, by file. */
export function changesFrom(lines: ReadonlySet<string>, changes: readonly FileChange[]): Map<string, FileChange[]> {
  const first = changes.findIndex(({ line }) => lines.has(line));
  const byFile = new Map<string, FileChange[]>();
  for (const change of first < 0 ? [] : changes.slice(first)) byFile.set(change.path, [...(byFile.get(change.path) ?? []), change]);
  return byFile;
}

/** `changes`: those of one file, in order, at least one. */
export function verdictOn(changes: FileChange[], now: FoundNow, isKept: (digest: string) => boolean): Verdict {
  const { path, before: to } = changes[0]!;
  const left = (why: string): Verdict => ({ kind: "left", file: { path, why } });
  if (now.kind === "other") return left(now.why);
  let own = new Set<Digest>([to]);
  let unbroken = true;
  for (const { before, after, written } of changes) {
    unbroken &&= own.has(before);
    own = new Set(written === undefined ? [before, after] : [written ? after : before]);
  }
  if (now.digest === to) return { kind: "as_it_was" };
  if (!unbroken || !own.has(now.digest))
    return now.digest === null ? left("it was removed since") : left("something else has changed it since");
  if (to !== null && !isKept(to)) return left("what it held then is not kept any more, or was too large");
  const mode = to === null ? undefined : changes.find((change) => change.mode !== undefined)?.mode;
  return { kind: "put_back", file: { path, from: now.digest, to, ...(mode !== undefined && { mode }) } };
}
