// Files that git ignores and a build needs, brought from one working tree into another: which ones, patterns in the syntax of .gitignore say.
// What rules hide from agents is never among them.
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

/** The patterns that a repository has for this; empty if it has none. */
export function includePatterns(root: string): string {
  const file = join(root, ".worktreeinclude");
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() ? readFileSync(file, "utf8") : "";
}

/** `isHidden`: whether rules keep the file or folder at this absolute path from agents. */
export type BringOrder = {
  from: string;
  to: string;
  how: "copy" | "link";
  patterns: string;
  isHidden: (path: string, kind: "file" | "folder") => boolean;
};

/** Paths below the root. `left`: what was not brought, with the reason. */
export type Brought = { copied: string[]; linked: string[]; left: { path: string; why: string }[] };

/** May be repeated after a kill. Throws when git does not answer and when the disk is full. */
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

/** By git itself: what the patterns name among what git ignores; a folder of which that is true has a slash at its end. */
async function wanted(git: OwnGit, { from, patterns }: BringOrder): Promise<string[]> {
  const given = patterns.split("\n").flatMap(patternOf);
  if (given.length === 0) return [];
  const listed = await git(from, ["ls-files", "-z", "--others", "--ignored", "--directory", ...given]);
  if (listed.code !== 0) throw new Error(`Cannot list the ignored files that are to be brought along: ${gitFault(listed)}`);
  if (listed.stdout === "") return [];
  const ignored = await git(from, ["check-ignore", "-z", "--stdin"], { input: listed.stdout });
  if (ignored.code !== 0 && ignored.code !== 1) throw new Error(`Cannot find out what git ignores: ${gitFault(ignored)}`);
  return ignored.stdout.split("\0").filter(Boolean);
}

/** As git reads a line of .gitignore: comments and blanks at its end are none of the pattern. */
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
  // A link to a folder shows all that is in it, under another name than rules know: then it is copied without what is hidden.
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

/** A folder stays one, of links: a pattern such as `node_modules/` is about folders, and git would add a link in its place. */
function link(source: string, target: string): void {
  if (!lstatSync(source).isDirectory()) {
    symlinkSync(source, target);
    return;
  }
  mkdirSync(target);
  for (const name of readdirSync(source)) symlinkSync(join(source, name), join(target, name));
}

/** Beside the worktree: a folder comes into it whole or not at all, and git never sees a part. */
const unfinished = (worktree: string) => `${worktree}.bringing`;

/** Makes the folders above a file, and follows no link on the way: what the commit has there may lead anywhere. Why not, where that fails. */
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

/** Links stay links. Sockets, devices and what is hidden are left out. */
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
