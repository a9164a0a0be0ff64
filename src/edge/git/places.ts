// Where a folder's repository is: found by reading `.git` and what it names as data, without starting git, and remembered for the life of
// the process. A bare repository that lies in a tree as plain files is never found: the repository is the one whose `.git` is above it.
import { existsSync, lstatSync, readdirSync, realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { ifPossible } from "../system-error.ts";
import { untrustedText, whyUnread } from "./untrusted-file.ts";

/** Real paths. `gitDir` has HEAD and the index, `commonDir` the objects and references; they differ in a linked worktree. */
export type RepositoryPlace = { top: string; gitDir: string; commonDir: string };

/** `refused`: a whole sentence without its full stop. `bare`: no working tree, but git's own folder. */
export type PlaceFinding = { kind: "found"; place: RepositoryPlace } | { kind: "none"; bare: boolean } | { kind: "refused"; why: string };

/** Of the nearest folder, this one or a parent, that has a repository. */
export function findRepository(folder: string): PlaceFinding {
  const start = ifPossible(() => realpathSync(folder));
  let bare = false;
  for (let at = start; at !== undefined; at = dirname(at) === at ? undefined : dirname(at)) {
    const found = repositoryAt(at);
    if (found.kind !== "none") return found;
    bare ||= isRepository(at);
  }
  return { kind: "none", bare };
}

/** The repository of a working tree's top folder, after everything that git reads in it has been found to be plain files and folders. */
function repositoryAt(top: string): PlaceFinding {
  const path = join(top, ".git");
  const stats = ifPossible(() => lstatSync(path, { throwIfNoEntry: false }));
  if (stats === undefined) return { kind: "none", bare: false };
  if (stats.isDirectory()) return isRepository(path) ? checked({ top, gitDir: path, commonDir: path }) : { kind: "none", bare: false };
  if (!stats.isFile()) return { kind: "refused", why: `${path} ${whyUnread(stats, "folder")}` };
  const named = namedBy(path);
  if (named === undefined) return { kind: "refused", why: `${path} names no repository that names it back` };
  return checked({ top, ...named });
}

type Entry = [path: string, kind: "file" | "folder", most?: number];
const mib = 1024 * 1024;

/** gitrepository-layout(5): what git reads before it looks for an object. In bytes. */
const own: Entry[] = [
  ["HEAD", "file", mib],
  ["index", "file", 2048 * mib],
  ["logs", "folder"],
  ["logs/HEAD", "file"],
  ["config.worktree", "file", mib],
  ["info/sparse-checkout", "file", 16 * mib],
];
const common: Entry[] = [
  ["config", "file", mib],
  ["packed-refs", "file", 1024 * mib],
  ["shallow", "file", 64 * mib],
  ["objects", "folder"],
  ["refs", "folder"],
  ["info", "folder"],
  ["info/exclude", "file", 16 * mib],
  ["info/attributes", "file", 16 * mib],
  ["objects/info", "folder"],
  ["objects/info/alternates", "file", mib],
];

function checked(place: RepositoryPlace): PlaceFinding {
  const other = join(place.gitDir, "commondir"); // only a linked worktree's belongs there: git would follow it elsewhere
  if (place.gitDir === place.commonDir && ifPossible(() => lstatSync(other))) return { kind: "refused", why: `${other} leads elsewhere` };
  for (const [folder, entries] of [[place.gitDir, own] as const, [place.commonDir, common] as const]) {
    for (const [name, kind, most = Infinity] of entries) {
      const path = join(folder, name);
      const stats = ifPossible(() => lstatSync(path, { throwIfNoEntry: false }));
      const why = stats && (whyUnread(stats, kind) ?? (kind === "file" && stats.size > most ? `has more than ${most} bytes` : undefined));
      if (why !== undefined) return { kind: "refused", why: `${path} ${why}` };
    }
  }
  return { kind: "found", place };
}

/** The nearest folder, this one or a parent, that contains a repository's folder. */
export function topOf(folder: string): string | undefined {
  if (existsSync(join(folder, ".git"))) return folder;
  return dirname(folder) === folder ? undefined : topOf(dirname(folder));
}

/** The same, if it is a parent. */
export function repositoryAbove(folder: string): string | undefined {
  const top = topOf(folder);
  return top === folder ? undefined : top;
}

const longestPath = 8192;

/** A `.git` file is believed only if the repository it names says the same: else text in a downloaded folder could name any repository. */
function namedBy(file: string): Omit<RepositoryPlace, "top"> | undefined {
  const named = /^gitdir: (.+?)\r?\n?$/.exec(pathText(file) ?? "")?.[1];
  const gitDir = named && ifPossible(() => realpathSync(resolve(dirname(file), named)));
  if (!gitDir) return undefined;
  const commonDir = linkedTo(file, gitDir) ?? (isModule(file, gitDir) ? gitDir : undefined);
  return commonDir === undefined ? undefined : { gitDir, commonDir };
}

/** Undefined if it is not in UTF-8: git would follow bytes that we cannot name. */
function pathText(path: string): string | undefined {
  const text = untrustedText(path, longestPath);
  return text?.includes("\uFFFD") ? undefined : text;
}

/** `worktrees/<id>/gitdir` names the `.git` file that names it, and `commondir` the main repository. */
function linkedTo(file: string, gitDir: string): string | undefined {
  const common = dirname(dirname(gitDir));
  const back = pathText(join(gitDir, "gitdir"))?.replace(/[\r\n]+$/, "");
  const main = pathText(join(gitDir, "commondir"))?.replace(/[\r\n]+$/, "");
  if (back === undefined || main === undefined || basename(dirname(gitDir)) !== "worktrees" || !isRepository(common)) return undefined;
  const same = (one: string, other: string) => ifPossible(() => realpathSync(one) === realpathSync(other)) === true;
  return same(resolve(gitDir, back), file) && same(resolve(gitDir, main), common) ? common : undefined;
}

/** A submodule's repository is in `modules` of the one around it. */
function isModule(file: string, gitDir: string): boolean {
  const above = dirname(dirname(file));
  const around = above === dirname(file) ? undefined : findRepository(above);
  return around?.kind === "found" && gitDir.startsWith(`${around.place.commonDir}/modules/`) && isRepository(gitDir);
}

/** Whether a folder is in git's own folder, where there is nothing to work on. */
export const isInGitFolder = ({ commonDir }: RepositoryPlace, folder: string) => `${realOf(folder) ?? folder}/`.startsWith(`${commonDir}/`);

/** Whether a folder looks like git's own, as a bare repository does. */
export function isRepository(folder: string): boolean {
  const is = (name: string, kind: "file" | "folder") => {
    const stats = ifPossible(() => lstatSync(join(folder, name), { throwIfNoEntry: false }));
    return stats !== undefined && (kind === "folder" ? !stats.isFile() : !stats.isDirectory());
  };
  return is("HEAD", "file") && is("objects", "folder") && is("refs", "folder");
}

/**
 * Real paths of the folders outside `cwd` that git writes for its repository, where it may be committed from `cwd`: none for a submodule.
 */
export function gitFolders(cwd: string): string[] {
  const found = findRepository(cwd);
  if (found.kind !== "found") return [];
  const { top, gitDir, commonDir } = found.place;
  if (gitDir === commonDir) return top === realOf(cwd) || gitDir !== join(top, ".git") ? [] : [gitDir];
  return [commonDir];
}

/**
 * Of these, only what a commit on this branch in a linked worktree writes: its own folder, objects, and the folder of its branch. HEAD, index, other
 * branches and the stash are the person's. Those that exist; no branch beside the person's own. The branch is told by who made the worktree: its
 * HEAD says what an agent has written there.
 */
export function worktreeFolders(cwd: string, branch: string): string[] {
  const found = findRepository(cwd);
  if (found.kind !== "found" || found.place.gitDir === found.place.commonDir) return gitFolders(cwd);
  const { gitDir, commonDir } = found.place;
  const folder = branch.includes("/") ? dirname(branch) : undefined;
  const ofBranch = folder === undefined ? [] : ["refs/heads", "logs/refs/heads"].map((all) => join(commonDir, all, folder));
  return [gitDir, join(commonDir, "objects"), ...ofBranch].filter((path) => realOf(path) === path);
}

const realOf = (path: string) => ifPossible(() => realpathSync(path));

/** The folders of git for linked worktrees, by the path of their `.git` file. */
export function linkedWorktrees(commonDir: string): { gitDir: string; file: string }[] {
  const folder = join(commonDir, "worktrees");
  return (ifPossible(() => readdirSync(folder)) ?? []).flatMap((id) => {
    const gitDir = join(folder, id);
    const file = untrustedText(join(gitDir, "gitdir"), longestPath)?.trim();
    return file ? [{ gitDir, file: resolve(gitDir, file) }] : [];
  });
}
