// Which files of a working tree git does not have as they are: modified and untracked ones, from git's own status.
import { join } from "node:path";
import type { UnsavedListing } from "../../../agent/ports/at-stake.ts";
import { rawPath, textOf } from "../../disk/raw-path.ts";
import { git, repositoryPlace } from "../own-git.ts";
import { findRepository } from "../places.ts";
import { entryAt, readUntrusted } from "../untrusted-file.ts";
import { blobId } from "./kept-by-git.ts";
import { stamp } from "./references.ts";

const limitMs = 60_000;
/** More than that many bytes of paths are more files than anybody would copy. */
const mostBytes = 4 * 1024 * 1024;
/** No larger file is ever kept. */
const mostCompared = 10 * 1024 * 1024;
/** Of the paths of an index. */
const mostIndex = 64 * 1024 * 1024;

/** Links and repositories inside are among them, as git lists them: a folder ends in a slash there. */
export async function unsavedFiles(folder: string, signal: AbortSignal): Promise<UnsavedListing> {
  const found = await repositoryPlace(folder);
  if (found.kind === "none") return { kind: "none" };
  if (found.kind === "refused") return { kind: "failed", why: found.why };
  const { top } = found.place;
  const args = ["status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", "--ignore-submodules=all"];
  const [{ code, stdout, stderr }, marked] = await Promise.all([
    git(top, args, { limitMs, signal, headBytes: mostBytes }),
    markedFiles(top, signal),
  ]);
  const isCut = stdout.length >= mostBytes;
  if (code !== 0 && !isCut) return { kind: "failed", why: stderr.trim().replace(/^fatal: /, "") || "git gave no list" };
  const whole = stdout.subarray(0, stdout.lastIndexOf(0) + 1);
  const paths = entriesOf(whole).map((entry) => join(top, textOf(entry.subarray(3))));
  return { kind: "files", top, paths: [...paths, ...marked], isCut };
}

/** git-ls-files(1), -v: git takes them for unchanged without looking (`update-index --assume-unchanged`, `--skip-worktree`). */
async function markedFiles(top: string, signal: AbortSignal): Promise<string[]> {
  const { stdout } = await git(top, ["ls-files", "-v", "-z"], { limitMs, signal, headBytes: mostIndex });
  const marked = entriesOf(stdout).filter((entry) => /^[a-zS]/.test(String.fromCharCode(entry[0]!)));
  const there = marked.map((entry) => join(top, textOf(entry.subarray(2)))).filter((path) => entryAt(path));
  const committed = there.length > 0 ? new Set(await committedFiles(top, there, signal)) : undefined;
  return there.filter((path) => !committed?.has(path));
}

/**
 * Compares the bytes of the files with the last commit: of the index and of what is ignored git believes what commands have written. Where a
 * filter changes files (`core.autocrlf`), none is found.
 */
export async function committedFiles(top: string, paths: readonly string[], signal: AbortSignal): Promise<string[]> {
  return (await compared(top, paths, { tree: "HEAD", signal })).same;
}

/**
 * Finds those of the paths that git takes for unchanged though its index has another content: it believes the size and the times of a file that it
 * finds there, which a command may have written. Not those that it is told to pass over. Looks only where the index is another than at the last call.
 */
export function disguisedFiles(): (top: string, paths: readonly string[], signal: AbortSignal) => Promise<string[]> {
  const seen = new Map<string, string>();
  return async (top, paths, signal) => {
    const found = findRepository(top);
    const mark = found.kind === "found" ? stamp(join(found.place.gitDir, "index"), Number.POSITIVE_INFINITY) : "";
    if (seen.get(top) === mark) return [];
    seen.set(top, mark);
    const { same, ids } = await compared(top, paths, { tree: "", signal });
    const others = [...ids.keys()].filter((path) => !same.includes(path));
    if (others.length === 0) return [];
    const { code, stdout } = await git(top, ["diff-files", "--name-only", "-z"], { limitMs, signal, headBytes: mostBytes });
    const changed = new Set(entriesOf(stdout).map((entry) => join(top, textOf(entry))));
    const unshown = code === 0 ? others.filter((path) => !changed.has(path)) : [];
    return unshown.length > 0 ? unfiltered(top, unshown, signal) : [];
  };
}

/** Those that have another content than the index behind the person's filters too, and which git has no order to pass over. */
async function unfiltered(top: string, paths: readonly string[], signal: AbortSignal): Promise<string[]> {
  const names = paths.map((path) => rawPath(path.slice(top.length + 1)));
  const input = Buffer.concat(names.flatMap((name) => [Buffer.from(name), Buffer.from("\n")]));
  const [{ code, stdout }, staged, passedOver] = await Promise.all([
    git(top, ["hash-object", "--stdin-paths"], { limitMs, signal, input }),
    compared(top, paths, { tree: "", signal }),
    markedFiles(top, signal),
  ]);
  const ids = stdout.toString("latin1").split("\n");
  return code === 0 ? paths.filter((path, at) => ids[at] !== staged.ids.get(path) && !passedOver.includes(path)) : [];
}

/** `tree`: empty for the index. `ids`: what it has, and `same` those of the same bytes. */
async function compared(
  top: string,
  paths: readonly string[],
  { tree, signal }: { tree: "HEAD" | ""; signal: AbortSignal },
): Promise<{ same: string[]; ids: Map<string, string> }> {
  const asked = paths.filter((path) => !path.includes("\n"));
  const input = Buffer.concat(asked.map((path) => Buffer.from(rawPath(`${tree}:${path.slice(top.length + 1)}\n`))));
  const { stdout } = await git(top, ["cat-file", "--batch-check"], { limitMs, signal, input });
  const answers = stdout.toString("latin1").split("\n");
  const same: string[] = [];
  const ids = new Map<string, string>();
  for (const [at, path] of asked.entries()) {
    const [, id, size] = /^([0-9a-f]+) blob (\d+)$/.exec(answers[at] ?? "") ?? [];
    if (id === undefined || signal.aborted) continue;
    ids.set(path, id);
    const found = readUntrusted(path, { most: Math.min(Number(size), mostCompared) });
    if (found.kind === "read" && blobId(found.bytes, id.length) === id) same.push(path);
    await new Promise<void>((resolve) => void setImmediate(resolve)); // other work gets a turn
  }
  return { same, ids };
}

function entriesOf(bytes: Buffer): Buffer[] {
  const entries: Buffer[] = [];
  for (let from = 0, to = bytes.indexOf(0); to >= 0; from = to + 1, to = bytes.indexOf(0, from)) entries.push(bytes.subarray(from, to));
  return entries;
}
