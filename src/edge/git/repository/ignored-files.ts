// Brings files that git ignores and a build needs from one working tree to another, selected by patterns in .gitignore syntax. Files that
// rules hide from agents are never among them.
import {
  closeSync,
  constants,
  copyFileSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  symlinkSync,
} from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { type HeldFolder, holdFolder, holdingHere, PathMoved } from "../../disk/held-folder.ts";
import { codeOf, ifPossible, unless } from "../../system-error.ts";
import { gitFault, type OwnGit } from "../own-git.ts";
import { untrustedText } from "../untrusted-file.ts";

const mostPatterns = 1024 * 1024;

/** The patterns configured in a repository; empty if there are none. */
export function includePatterns(root: string): string {
  const file = join(root, ".worktreeinclude");
  return untrustedText(file, mostPatterns) ?? "";
}

/** Whether rules hide the file or folder at this absolute path from agents. */
export type IsHidden = (path: string, kind: "file" | "folder") => boolean;

export type BringOrder = { from: string; to: string; how: "copy" | "link"; patterns: string; isHidden: IsHidden };

/** Paths relative to the root. `left`: files that were not brought, with the reason. */
export type Brought = { copied: string[]; linked: string[]; left: { path: string; why: string }[] };

/** May be repeated after a kill. Throws if git fails or the disk is full. */
export async function bringIgnoredFiles(git: OwnGit, order: BringOrder): Promise<Brought> {
  const brought: Brought = { copied: [], linked: [], left: [] };
  rmSync(unfinished(order.to), { recursive: true, force: true });
  const closed = closedFiles(order);
  for (const name of await wantedFiles(git, order)) {
    const path = name.replace(/\/$/, "");
    const outcome = bring(path, order, closed);
    if (outcome.kind === "left") brought.left.push({ path, why: outcome.why });
    else brought[outcome.kind].push(path);
  }
  return brought;
}

/** git lists the ignored files that the patterns match; a folder of which everything matches ends in a slash. */
export async function wantedFiles(git: OwnGit, { from, patterns }: Pick<BringOrder, "from" | "patterns">): Promise<string[]> {
  const given = patterns.split("\n").flatMap(patternOf);
  if (given.length === 0) return [];
  const listed = await git(from, ["ls-files", "-z", "--others", "--ignored", "--directory", ...given]);
  if (listed.code !== 0) throw new Error(`Cannot list the ignored files to bring along: ${gitFault(listed)}`);
  if (listed.stdout === "") return [];
  const ignored = await git(from, ["check-ignore", "-z", "--stdin"], { input: listed.stdout });
  if (ignored.code !== 0 && ignored.code !== 1) throw new Error(`Cannot ask git which files are ignored: ${gitFault(ignored)}`);
  return ignored.stdout.split("\0").filter(Boolean);
}

/** Reads a line as git reads one of .gitignore: without comments and trailing spaces. */
function patternOf(line: string): string[] {
  const pattern = line.replace(/\r$/, "").replace(/(?<!\\) +$/, "");
  return pattern === "" || pattern.startsWith("#") ? [] : [`--exclude=${pattern}`];
}

function bring(
  path: string,
  { from, to, how }: BringOrder,
  closed: ClosedFiles,
): { kind: "copied" | "linked" } | { kind: "left"; why: string } {
  const left = (why: string) => ({ kind: "left", why }) as const;
  const source = join(from, path);
  const stats = lstatSync(source, { throwIfNoEntry: false });
  if (!stats) return left("it is gone");
  if (closed.has(source, stats)) return left("rules hide it from agents");
  const target = join(to, path);
  if (lstatSync(target, { throwIfNoEntry: false })) return left("something is there already");
  const outside = madeFolder(to, dirname(path));
  if (outside !== undefined) return left(outside);
  // A link to a folder would show hidden files in it under names that rules do not cover: then it is copied without those.
  const isLinked = how === "link" && !(stats.isDirectory() && closed.hasBelow(source));
  const temporary = unfinished(to);
  mkdirSync(temporary, { mode: 0o700 });
  const made = join(temporary, basename(path));
  if (isLinked) link(source, made, closed);
  else copy(source, made, closed);
  const isMade = lstatSync(made, { throwIfNoEntry: false }) !== undefined;
  if (isMade) renameSync(made, target);
  rmSync(temporary, { recursive: true });
  return isMade ? { kind: isLinked ? "linked" : "copied" } : left("rules hide it from agents");
}

/** A folder stays a folder, of links: a pattern such as `node_modules/` matches only folders, so git would add a link. */
function link(source: string, target: string, closed: ClosedFiles): void {
  if (!lstatSync(source).isDirectory()) {
    symlinkSync(source, target);
    return;
  }
  mkdirSync(target);
  for (const name of closed.names(source)) symlinkSync(join(source, name), join(target, name));
}

/** Beside the worktree, so that a folder arrives complete or not at all, and git never sees a part of it. */
const unfinished = (worktree: string) => `${worktree}.bringing`;

/**
 * Creates the parent folders of a file without following links, because the commit's own files may lead anywhere. If that fails, returns
 * why.
 */
export function madeFolder(root: string, below: string): string | undefined {
  let at = realpathSync(root);
  for (const name of below.split("/").filter((part) => part !== "." && part !== "")) {
    at = join(at, name);
    try {
      mkdirSync(at);
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error;
    }
    if (!lstatSync(at).isDirectory()) return `${at} is no folder in the worktree`;
  }
  return undefined;
}

/**
 * Where an agent works in a worktree, made if the commit has no such folder. `within`: relative to the worktree. Throws where the commit has a link or
 * a file on the way: the sandbox would open what the link leads to.
 */
export function workFolder(worktree: string, within: string): string {
  const why = madeFolder(worktree, within);
  if (why !== undefined) throw new Error(`Cannot work in the folder ${within} of this commit: ${why}`);
  return join(worktree, within);
}

/** The files of a tree that no copy gets: by their names, by what links lead to, and by what else they are a name of. */
export type ClosedFiles = {
  has(path: string, stats: Stats): boolean;
  hasBelow(folder: string): boolean;
  /**
   * Opens a file of the tree, unless it is one of them by now. Undefined if it is, or no file; or if it is not at its path: a command may be
   * changing the tree at this moment, and put a link in the way that leads out of it.
   */
  open(path: string): number | undefined;
  /** What is in a folder of the tree; nothing if it is not at its path. */
  names(folder: string): string[];
};

export function closedFiles({ from, isHidden }: Pick<BringOrder, "from" | "isHidden">): ClosedFiles {
  const top = realOf(from) ?? from;
  const realIn = (path: string) => join(top, relative(from, path));
  let linked: Set<string> | undefined;
  const isOther = (stats: Stats) => {
    if (!stats.isFile() || stats.nlink < 2) return false;
    linked ??= otherNames(from, isHidden);
    return linked.has(identityOf(stats));
  };
  const kindOf = (stats: Stats) => (stats.isDirectory() ? "folder" : "file");
  const has = (path: string, stats: Stats): boolean => {
    if (isHidden(path, kindOf(stats)) || isOther(stats)) return true;
    const real = realOf(path);
    if (real === undefined || real === path) return false;
    const target = lstatSync(real, { throwIfNoEntry: false });
    return target !== undefined && (isHidden(real, kindOf(target)) || isOther(target));
  };
  const hasBelow = (folder: string): boolean =>
    readdirSync(folder).some((name) => {
      const path = join(folder, name);
      const stats = lstatSync(path, { throwIfNoEntry: false });
      return stats !== undefined && (has(path, stats) || (stats.isDirectory() && hasBelow(path)));
    });
  return {
    has,
    hasBelow,
    open: (path) =>
      held(realIn(dirname(path)), (folder) =>
        openIn(folder, basename(path), (stats) => !isHidden(realIn(path), "file") && !isOther(stats)),
      ),
    names: (folder) => held(realIn(folder), ({ self }) => readdirSync(self)) ?? [],
  };
}

/** Undefined if there is no such folder, or a link leads to it. */
function held<T>(path: string, use: (folder: HeldFolder) => T): T | undefined {
  let folder: HeldFolder;
  try {
    folder = holdFolder(path, holdingHere());
  } catch (error) {
    if (error instanceof PathMoved || ["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "")) return undefined;
    throw error;
  }
  try {
    return use(folder);
  } finally {
    folder.close();
  }
}

function openIn(folder: HeldFolder, name: string, isOpen: (stats: Stats) => boolean): number | undefined {
  const open = () => openSync(folder.child(name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const fd = unless("ENOENT", () => unless("ELOOP", open, undefined), undefined); // gone, or replaced by a link
  if (fd === undefined) return undefined;
  const stats = fstatSync(fd);
  if (stats.isFile() && isOpen(stats)) return fd;
  closeSync(fd);
  return undefined;
}

/** The files of the tree that are hidden and have further names. */
function otherNames(folder: string, isHidden: IsHidden, isBelow = false): Set<string> {
  const found = new Set<string>();
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== ".git")
      for (const each of otherNames(path, isHidden, isBelow || isHidden(path, "folder"))) found.add(each);
    if (!entry.isFile() || !(isBelow || isHidden(path, "file"))) continue;
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats && stats.nlink > 1) found.add(identityOf(stats));
  }
  return found;
}

const identityOf = ({ dev, ino }: Stats) => `${dev}:${ino}`;

/** Undefined if it leads nowhere. */
const realOf = (path: string) => ifPossible(() => realpathSync.native(path));

/** Links stay links. Sockets, devices and hidden files are left out. */
function copy(source: string, target: string, closed: ClosedFiles): void {
  const stats = lstatSync(source, { throwIfNoEntry: false });
  if (!stats || closed.has(source, stats)) return;
  if (stats.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
  else if (stats.isFile()) copyFile(source, target, closed);
  else if (stats.isDirectory()) {
    mkdirSync(target, { mode: stats.mode & 0o777 });
    for (const name of closed.names(source)) copy(join(source, name), join(target, name), closed);
  }
}

function copyFile(source: string, target: string, closed: ClosedFiles): void {
  const fd = closed.open(source);
  if (fd === undefined) return;
  try {
    const opened = process.platform === "linux" ? `/proc/self/fd/${fd}` : source;
    copyFileSync(opened, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  } finally {
    closeSync(fd);
  }
}
