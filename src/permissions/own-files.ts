// What the commands of a worker may change in its tree: the files that it was given, what git ignores, and what they make beside those. All else
// stands there to be read. Whole folders where none of its files lies, so that there is little to cover.
import { basename, dirname, relative } from "node:path";
import { ignoreFile } from "./paths/ignore-patterns.ts";
import { within } from "./paths/places.ts";
import type { Policy } from "./policy.ts";
import type { Entry } from "./sandbox-view.ts";

/** Whether an entry below a writable folder belongs to others. A link is none: what it leads to is judged where it is. */
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

/** By the `.gitignore` files of these folders, of which the deepest that says something counts. `textOf`: undefined if there is none. */
export function ignoredByGit(folders: readonly string[], textOf: (file: string) => string | undefined): NonNullable<Policy["gitIgnores"]> {
  const files = folders.flatMap((folder) => {
    const text = textOf(`${folder}/.gitignore`);
    return text === undefined ? [] : [{ folder, decides: ignoreFile(text) }];
  });
  const deepestFirst = files.toSorted((a, b) => b.folder.length - a.folder.length);
  return (path, kind) => {
    for (const { folder, decides } of deepestFirst.filter((file) => within(file.folder, path))) {
      const line = decides(`${relative(folder, path)}${kind === "folder" ? "/" : ""}`);
      if (line) return !line.negative;
    }
    return false;
  };
}
