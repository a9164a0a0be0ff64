// Where the programs are that we start ourselves (bwrap, rg, git, tmux, bash …). They run outside the sandbox and without a question, so none
// may come from where an agent can write. A link there to root's own program of that name is followed: what runs is root's. Nothing else
// starts a program by a bare name; program-places.ts looks through PATH too, as the shell of a command does.

import { lstatSync, readFileSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { homedir, tmpdir, userInfo } from "node:os";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import type { SkippedEntry } from "../../app/machine.ts";
import { isExecutable } from "../display/start-check.ts";
import { gitFolders, topOf } from "../shell/sandbox/git.ts";

/** `why`: a whole sentence without its full stop. */
export type HelperProgram = { kind: "found"; path: string } | { kind: "missing"; why: string };

/** Looks once for each name and PATH: what is installed or planted later is not seen by this process. */
export function helperProgram(name: string, path: string = process.env["PATH"] ?? defaultPath): HelperProgram {
  if (isAbsolute(name)) return { kind: "found", path: name };
  const key = `${name}\0${path}`;
  const known = answers.get(key);
  if (known) return known;
  const found = lookFor(name, searchOf(path));
  answers.set(key, found);
  return found;
}

/** Looks for all of them now, before a command of an agent can have run. `folders` count as working directories from here on. */
export function findHelperPrograms(folders: string[] = []): void {
  const added = folders.filter((folder) => !workingDirectories.has(folder));
  if (added.length > 0) {
    for (const folder of added) workingDirectories.add(folder);
    answers.clear();
    searches.clear();
  }
  for (const name of ["bash", "bwrap", "git", "rg", "tmux"]) helperProgram(name);
}

/** What `doctor` names. */
export function skippedEntries(path: string = process.env["PATH"] ?? defaultPath): SkippedEntry[] {
  return searchOf(path).places.flatMap(({ entry, problem }) => (problem === undefined ? [] : [{ entry, why: problem }]));
}

/** execvp(3), where PATH is not set. */
const defaultPath = "/usr/bin:/bin";

// What this machine has is a fact of the process, as its environment is.
const answers = new Map<string, HelperProgram>();
const searches = new Map<string, Search>();
const workingDirectories = new Set<string>();

/** `folder` is the real one; empty if the entry is none. */
type Entry = { entry: string; folder: string; problem?: string };

/** What one PATH comes to. */
type Search = { places: Entry[]; ground: Ground };

/** `closed`: folders that an agent may write. `seen`: what has been looked at on the way, each once. */
type Ground = { closed: ClosedFolder[]; root: Stats; seen: Map<string, Seen> };
type Seen = { stats: Stats; problem: string | undefined } | undefined;
type ClosedFolder = { identity: string; path: string };

function searchOf(path: string): Search {
  const known = searches.get(path);
  if (known) return known;
  const ground: Ground = { closed: closedFolders(), root: lstatSync("/"), seen: new Map() };
  const search = { places: [...new Set(path.split(":"))].flatMap((entry) => entryOf(entry, ground)), ground };
  searches.set(path, search);
  return search;
}

function entryOf(entry: string, ground: Ground): Entry[] {
  if (entry === "") return [{ entry, folder: "", problem: "it is empty, which means the working directory of the moment" }];
  if (!isAbsolute(entry)) return [{ entry, folder: "", problem: "it is relative, so it means another folder in each directory" }];
  const end = follow(entry, ground);
  if (end.kind === "missing") return [];
  return [end.kind === "open" ? { entry, folder: entry, problem: end.problem } : { entry, folder: end.path }];
}

function lookFor(name: string, { places, ground }: Search): HelperProgram {
  let passedOver: string | undefined;
  for (const { entry, folder, problem } of places) {
    const path = join(folder, name);
    if (folder === "" || !seenAt(path, ground)) continue;
    const end: End = problem === undefined ? follow(path, ground) : { kind: "open", problem };
    // By this name and not by what a link leads to: some programs go by the name that they are called with.
    if (end.kind === "safe" && end.stats.isFile() && isExecutable(path)) return { kind: "found", path };
    const own = end.kind === "open" ? programOfRoot(path, ground) : undefined;
    if (own !== undefined) return { kind: "found", path: own };
    if (end.kind === "open") passedOver ??= `${name} was found only in ${entry}, which is passed over: ${end.problem}`;
  }
  return { kind: "missing", why: passedOver ?? `${name} was not found on PATH` };
}

/**
 * Where a link in an unsafe folder leads to, if that is a program of the same name that nobody but root can have put there. The folder then
 * decides only whether the program is there (people and scripts hide programs with a folder of links). The answer has no link in it that
 * another than root can change, and none of /proc, which would lead into a file system that somebody else has put together.
 */
function programOfRoot(link: string, ground: Ground): string | undefined {
  const name = basename(link);
  let at = link;
  for (let links = 0; links < mostLinks; links++) {
    const target = targetOf(at);
    if (target === undefined || basename(target) !== name) return undefined;
    const folder = follow(dirname(target), ground);
    const program = folder.kind === "safe" ? join(folder.path, name) : target;
    const end = follow(program, ground);
    if (end.kind === "safe" && end.rootsOwn && end.stats.isFile() && isExecutable(program)) return program;
    at = target;
  }
  return undefined;
}

/** Whether this file is a link to root's own program of the same name, as in a folder of links that hides other programs. */
export function leadsToRootsOwn(file: string, path: string): boolean {
  return programOfRoot(file, searchOf(path).ground) !== undefined;
}

/** Absolute; undefined if there is no link. */
function targetOf(link: string): string | undefined {
  try {
    return resolve(realpathSync(dirname(link)), readlinkSync(link));
  } catch {
    return undefined; // no link, or gone: no program for us
  }
}

/** As many as Linux follows. */
const mostLinks = 40;

/**
 * `safe`: nobody but root and we ourselves can put something else there, and no agent can; `rootsOwn`: not even we. `open`: somebody can.
 */
type End = { kind: "safe"; path: string; stats: Stats; rootsOwn: boolean } | { kind: "open"; problem: string } | { kind: "missing" };

/** Goes from the root to `path`, through each link, and looks at every folder on the way and at what is there. */
function follow(path: string, ground: Ground): End {
  let at = "/";
  let links = 0;
  let rootsOwn = true;
  const rest = segments(path);
  for (;;) {
    const here = seenAt(at, ground);
    if (!here) return { kind: "missing" };
    if (here.problem !== undefined) return { kind: "open", problem: here.problem };
    rootsOwn &&= isRoots(here.stats, ground);
    const name = rest.shift();
    if (name === undefined) return { kind: "safe", path: at, stats: here.stats, rootsOwn };
    const next = resolve(at, name);
    if (!seenAt(next, ground)?.stats.isSymbolicLink()) {
      at = next;
      continue;
    }
    if (++links > mostLinks) return { kind: "missing" };
    const target = readlinkSync(next);
    rest.unshift(...segments(target));
    if (isAbsolute(target)) at = "/";
  }
}

const segments = (path: string) => path.split("/").filter((part) => part !== "" && part !== ".");

function seenAt(path: string, ground: Ground): Seen {
  if (ground.seen.has(path)) return ground.seen.get(path);
  const stats = lstatOf(path);
  const seen = stats && { stats, problem: stats.isSymbolicLink() ? undefined : problemOf(path, stats, ground) };
  ground.seen.set(path, seen);
  return seen;
}

function lstatOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // a folder that we may not search has no program for us
  }
}

/** Who owns the root is root, under whatever number a user namespace shows it. What a group may write counts only where it is root's. */
function isRoots({ uid, gid, mode }: Stats, { root }: Ground): boolean {
  return [0, root.uid].includes(uid) && ((mode & 0o020) === 0 || [0, root.gid].includes(gid));
}

function problemOf(path: string, stats: Stats, { closed, root }: Ground): string | undefined {
  const inside = stats.isDirectory() && closed.find(({ identity }) => identity === identityOf(stats));
  if (inside) return `it is inside ${inside.path}, where commands of an agent may write`;
  if (![0, process.getuid?.(), root.uid].includes(stats.uid)) return `another user owns ${path}`;
  if ((stats.mode & 0o002) !== 0) return `everybody may write ${path}`;
  if ((stats.mode & 0o020) !== 0 && hasOthers(stats.gid)) return `a group with others than you may write ${path}`;
  return undefined;
}

/** By number: another spelling or another mount of such a folder is the same one. */
function closedFolders(): ClosedFolder[] {
  const cwd = workingDirectory();
  const own = [...(cwd === undefined ? [] : [cwd]), ...workingDirectories];
  const repositories = own.flatMap((folder) => [topOf(folder) ?? [], ...gitFolders(folder).map(dirname)].flat());
  const config = process.env["TOOL_CONFIG_DIR"] || join(homedir(), ".tool");
  return [...new Set([...own, ...repositories, "/tmp", "/var/tmp", "/dev/shm", tmpdir(), config])].flatMap((path) => {
    const stats = statOf(path);
    return stats ? [{ identity: identityOf(stats), path }] : [];
  });
}

const identityOf = ({ dev, ino }: Stats) => `${dev}:${ino}`;

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined; // what we cannot reach, no command of ours can
  }
}

function workingDirectory(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined; // removed: there is nothing in it
  }
}

/** On macOS an administrator may become root anyway, and Homebrew's folders belong to that group. */
const macosAdmin = 80;

/** Whether a group has members besides root and us. Only asked where a group may write at all. */
function hasOthers(gid: number): boolean {
  if (gid === 0 || (process.platform === "darwin" && gid === macosAdmin)) return false;
  try {
    const { username } = userInfo();
    const fields = (file: string) =>
      readFileSync(file, "utf8")
        .split("\n")
        .map((line) => line.split(":"));
    const members = fields("/etc/group").flatMap(([, , id, names = ""]) => (id === String(gid) ? names.split(",").filter(Boolean) : []));
    const primary = fields("/etc/passwd").flatMap(([name = "", , , group]) => (group === String(gid) ? [name] : []));
    return [...members, ...primary].some((name) => name !== "root" && name !== username);
  } catch {
    return true; // unknown is not nobody
  }
}
