// What a worker's commands may change in its tree: its assigned files, files that git ignores, and new files beside those. Everything else
// is read-only. Folders without any of its files are covered as a whole, to keep the number of mounts small.
import { basename, dirname } from "node:path";
import { within } from "./paths/places.ts";
import type { Policy } from "./policy.ts";
import type { Entry } from "./sandbox/sandbox-view.ts";

/** Whether an entry below a writable folder belongs to other workers. A link does not: its target is judged by its own path. */
export function belongsToOthers({ cwd, directories, ownFiles, gitIgnores }: Policy): (entry: Entry) => boolean {
  if (!ownFiles) return () => false;
  const open = new Set([...foldersTo(ownFiles, cwd), ...directories]);
  return ({ path, kind }) =>
    kind !== "link" &&
    open.has(dirname(path)) &&
    !open.has(path) &&
    !ownFiles.includes(path) &&
    basename(path) !== ".git" &&
    gitIgnores?.(path, kind) !== true;
}

/** The folders from the working directory down to each of the files. */
export function foldersTo(files: readonly string[], cwd: string): string[] {
  const upTo = (folder: string): string[] => (folder === cwd || !within(cwd, folder) ? [cwd] : [...upTo(dirname(folder)), folder]);
  return [...new Set(files.flatMap((file) => upTo(dirname(file))))];
}
