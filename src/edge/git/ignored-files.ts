// Brings files that git ignores and a build needs from one working tree to another, selected by patterns in .gitignore syntax. Files that
// rules hide from agents are never among them.
import {
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { codeOf } from "../system-error.ts";
import { gitFault, type OwnGit } from "./own-git.ts";

/** The patterns configured in a repository; empty if there are none. */
export function includePatterns(root: string): string {
  const file = join(root, ".worktreeinclude");
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file, "utf8") : "";
}

/** `isHidden`: whether rules hide the file or folder at this absolute path from agents. */
export type BringOrder = {
  from: string;
  to: string;
  how: "copy" | "link";
  patterns: string;
  isHidden: (path: string, kind: "file" | "folder") => boolean;
};

/** Paths relative to the root. `left`: files that were not brought, with the reason. */
export type Brought = { copied: string[]; linked: string[]; left: { path: string; why: string }[] };

/** May be repeated after a kill. Throws if git fails or the disk is full. */
export async function bringIgnoredFiles(git: OwnGit, order: BringOrder): Promise<Brought> {
  const brought: Brought = { copied: [], linked: [], left: [] };
  rmSync(unfinished(order.to), { recursive: true, force: true });
  for (const name of await wanted(git, order)) {
    const path = name.replace(/\/$/, "");
    const outcome = bring(path, order);
    if (outcome.kind === "left") brought.left.push({ path, why: outcome.why });
    else brought[outcome.kind].push(path);
  }
  return brought;
}

/** git lists the ignored files that the patterns match; a folder of which everything matches ends in a slash. */
async function wanted(git: OwnGit, { from, patterns }: BringOrder): Promise<string[]> {
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

function bring(path: string, { from, to, how, isHidden }: BringOrder): { kind: "copied" | "linked" } | { kind: "left"; why: string } {
  const left = (why: string) => ({ kind: "left", why }) as const;
  const source = join(from, path);
  const stats = lstatSync(source, { throwIfNoEntry: false });
  if (!stats) return left("it is gone");
  const hidden = (each: string) => isHidden(each, lstatSync(each).isDirectory() ? "folder" : "file");
  if (hidden(source)) return left("rules hide it from agents");
  const target = join(to, path);
  if (lstatSync(target, { throwIfNoEntry: false })) return left("something is there already");
  const outside = madeFolder(to, dirname(path));
  if (outside !== undefined) return left(outside);
  // A link to a folder would show hidden files in it under names that rules do not cover: then it is copied without those.
  const isLinked = how === "link" && !(stats.isDirectory() && somethingBelow(source, hidden));
  const temporary = unfinished(to);
  mkdirSync(temporary, { mode: 0o700 });
  const made = join(temporary, basename(path));
  if (isLinked) link(source, made);
  else copy(source, made, hidden);
  renameSync(made, target);
  rmSync(temporary, { recursive: true });
  return { kind: isLinked ? "linked" : "copied" };
}

/** A folder stays a folder, of links: a pattern such as `node_modules/` matches only folders, so git would add a link. */
function link(source: string, target: string): void {
  if (!lstatSync(source).isDirectory()) {
    symlinkSync(source, target);
    return;
  }
  mkdirSync(target);
  for (const name of readdirSync(source)) symlinkSync(join(source, name), join(target, name));
}

/** Beside the worktree, so that a folder arrives complete or not at all, and git never sees a part of it. */
const unfinished = (worktree: string) => `${worktree}.bringing`;

/**
 * Creates the parent folders of a file without following links, because the commit's own files may lead anywhere. If that fails, returns
 * why.
 */
function madeFolder(root: string, below: string): string | undefined {
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

function somethingBelow(folder: string, is: (path: string) => boolean): boolean {
  return readdirSync(folder, { withFileTypes: true }).some((entry) => {
    const path = join(folder, entry.name);
    return is(path) || (entry.isDirectory() && somethingBelow(path, is));
  });
}

/** Links stay links. Sockets, devices and hidden files are left out. */
function copy(source: string, target: string, hidden: (path: string) => boolean): void {
  const stats = lstatSync(source, { throwIfNoEntry: false });
  if (!stats || hidden(source)) return;
  if (stats.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
  else if (stats.isFile()) copyFileSync(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  else if (stats.isDirectory()) {
    mkdirSync(target, { mode: stats.mode & 0o777 });
    for (const name of readdirSync(source)) copy(join(source, name), join(target, name), hidden);
  }
}
