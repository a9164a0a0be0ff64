// What git's index records about hidden files: by size and time git can tell that a file is unchanged without opening it, and the sandbox
// puts a decoy with those values in its place (decoys.ts).

import { statSync } from "node:fs";
import { join } from "node:path";
import type { Searches, TrackedFile } from "../../../agent/ports/repository-port.ts";
import { ifPossible } from "../../system-error.ts";
import { git, ownGit } from "../own-git.ts";

type Repository = { top: string; index: string; isHidden: (path: string) => boolean };

/**
 * `isHidden` gets paths below `top`, as bytes in latin1. If git would have to open a file to know that it is unchanged, because the index
 * is not newer than the file, the index is refreshed first, as `git status` does.
 */
export async function trackedHidden(repository: Repository): Promise<TrackedFile[]> {
  const hidden = await hiddenNames(repository);
  if (hidden.length === 0) return [];
  const files = await entries(repository, hidden);
  const unsure = files.filter((file) => isUnsure(file, repository.index));
  if (unsure.length === 0) return files;
  await nextSecond(Math.max(...unsure.map(({ mtime }) => mtime)));
  const { PATH = "", HOME = "" } = process.env;
  await ownGit({ PATH, HOME, GIT_OPTIONAL_LOCKS: "1" })(repository.top, ["update-index", "-q", "--refresh", "--ignore-submodules"]);
  return entries(repository, hidden);
}

/** What the index lists, by absolute paths; repositories that it lists are apart. Undefined if git does not say. */
export async function trackedFiles(top: string): ReturnType<Searches["tracked"]> {
  const { code, stdout } = await git(top, ["ls-files", "--stage", "--full-name", "-z"]);
  if (code !== 0) return undefined;
  const entries = stdout.toString("utf8").split("\0").slice(0, -1);
  const pathsOf = (isRepository: boolean) =>
    entries.flatMap((entry) => (entry.startsWith("160000 ") === isRepository ? join(top, entry.slice(entry.indexOf("\t") + 1)) : []));
  return { files: new Set(pathsOf(false)), repositories: pathsOf(true) };
}

async function hiddenNames({ top, isHidden }: Repository): Promise<string[]> {
  const { stdout } = await git(top, ["ls-files", "--cached", "-z"]);
  return stdout
    .toString("latin1")
    .split("\0")
    .filter((path) => path !== "" && isHidden(path));
}

/** With more names than fit a command line, all files are listed. */
const mostNames = 1_000;

async function entries({ top }: Repository, hidden: string[]): Promise<TrackedFile[]> {
  const paths = hidden.length > mostNames || hidden.some((path) => /[^ -~]/.test(path)) ? [] : hidden;
  const { stdout } = await git(top, ["--literal-pathspecs", "ls-files", "--stage", "--debug", "-z", "--", ...paths]);
  const wanted = new Set(hidden);
  return [...stdout.toString("latin1").matchAll(entry)].flatMap(([, mode = "", id = "", path = "", mtime, size, flags = ""]) =>
    wanted.has(path) && (Number.parseInt(flags, 16) & notThere) === 0
      ? [{ path: join(top, Buffer.from(path, "latin1").toString("utf8")), id, mode, size: Number(size), mtime: Number(mtime) }]
      : [],
  );
}

/** git-ls-files(1): entries of the index with the recorded `stat` data. A file being merged has no stage 0. */
const entry =
  /(\d{6}) ([0-9a-f]+) 0\t([^\0]+)\0 {2}ctime: \d+:\d+\n {2}mtime: (\d+):\d+\n {2}dev: \d+\tino: \d+\n {2}uid: \d+\tgid: \d+\n {2}size: (\d+)\tflags: ([0-9a-f]+)\n/g;

/** `CE_SKIP_WORKTREE` of git: a sparse checkout has not written it to the disk, and git would be confused if it appeared. */
const notThere = 0x4000_0000;

/** Documentation/technical/racy-git.txt of git. An entry with content but size 0 is marked as uncertain, or was never checked. */
function isUnsure({ id, mode, size, mtime }: TrackedFile, index: string): boolean {
  if (mode === "160000") return false;
  const written = ifPossible(() => statSync(index).mtimeMs) ?? 0;
  return mtime >= Math.floor(written / 1000) || (size === 0 && !emptyFiles.has(id));
}

/** For SHA-1 and SHA-256. */
const emptyFiles = new Set([
  "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
  "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
]);

/** A time in the future is not waited for. */
async function nextSecond(second: number): Promise<void> {
  const waitMs = (second + 1) * 1000 - Date.now();
  if (waitMs > 0 && waitMs <= 1000) await new Promise((resolve) => setTimeout(resolve, waitMs + 5));
}

/** Absolute paths of files that differ from the index. */
export async function unlikeIndex(top: string): Promise<Set<string>> {
  const { stdout } = await git(top, ["diff-files", "--name-only", "--ignore-submodules=all", "-z"]);
  return new Set(
    stdout
      .toString("utf8")
      .split("\0")
      .filter(Boolean)
      .map((path) => join(top, path)),
  );
}
