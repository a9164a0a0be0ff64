// Locates the programs that we start ourselves (bwrap, rg, git, tmux, bash …). They run outside the sandbox and without a question, so none
// may come from a place where an agent can write. A link there to root's own program of the same name is followed, because then root's
// program runs. Nothing else starts a program by a bare name; program-places.ts also searches PATH, as the shell of a command does.

import { lstatSync, readFileSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import type { SkippedEntry } from "../../app/settings/machine.ts";
import { isExecutable } from "../display/start-check.ts";
import { gitFolders, topOf } from "../git/places.ts";
import { homeFolder } from "../home-folder.ts";
import { ifPossible } from "../system-error.ts";

/** `why`: a whole sentence without its full stop. `passedOver`: it is installed, where agents of this folder may write. */
export type HelperProgram = { kind: "found"; path: string } | { kind: "missing"; why: string; passedOver?: true };

/** Searches once for each name and PATH: programs installed or planted later are not seen by this process. */
export function helperProgram(name: string, path: string = process.env["PATH"] ?? defaultPath): HelperProgram {
  if (isAbsolute(name)) return { kind: "found", path: name };
  const key = `${name}\0${path}`;
  const known = answers.get(key);
  if (known) return known;
  const found = lookFor(name, searchOf(path));
  answers.set(key, found);
  return found;
}

/** Locates all of them now, before a command of an agent can have run. `folders` count as working directories from here on. */
export function findHelperPrograms(folders: string[] = []): void {
  const added = folders.filter((folder) => !workingDirectories.has(folder));
  if (added.length > 0) {
    for (const folder of added) workingDirectories.add(folder);
    answers.clear();
    searches.clear();
  }
  for (const name of ["bash", "bwrap", "git", "rg", "tmux"]) helperProgram(name);
}

/** For `doctor`. */
export function skippedEntries(path: string = process.env["PATH"] ?? defaultPath): SkippedEntry[] {
  return searchOf(path).places.flatMap(({ entry, problem }) => (problem === undefined ? [] : [{ entry, why: problem }]));
}

/** The default of execvp(3) if PATH is not set. */
const defaultPath = "/usr/bin:/bin";

// Cached for the whole process, because the machine's programs are as fixed as its environment.
const answers = new Map<string, HelperProgram>();
const searches = new Map<string, Search>();
const workingDirectories = new Set<string>();

/** `folder` is the real path; empty if the entry is unusable. */
type Entry = { entry: string; folder: string; problem?: string };

/** The usable folders of one PATH. */
type Search = { places: Entry[]; ground: Ground };

/** `closed`: folders that an agent may write. `seen`: the paths checked so far. */
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
    // Returns this name, not the link's target: some programs behave differently depending on the name they are called by.
    if (end.kind === "safe" && end.stats.isFile() && isExecutable(path)) return { kind: "found", path };
    const own = end.kind === "open" ? programOfRoot(path, ground) : undefined;
    if (own !== undefined) return { kind: "found", path: own };
    if (end.kind === "open") passedOver ??= `${name} was found only in ${entry}, which is passed over: ${end.problem}`;
  }
  return passedOver === undefined
    ? { kind: "missing", why: `${name} was not found on PATH` }
    : { kind: "missing", why: passedOver, passedOver: true };
}

/**
 * The target of a link in an unsafe folder, if it is a program of the same name that only root can have put there. The folder then decides
 * only whether the program is found (people and scripts hide programs with a folder of links). The result contains no link that anyone but
 * root can change, and no path in /proc, which could lead into a file system that someone else has set up.
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

/** Absolute; undefined if it is not a link, or gone. */
const targetOf = (link: string) => ifPossible(() => resolve(realpathSync(dirname(link)), readlinkSync(link)));

/** The limit of Linux. */
const mostLinks = 40;

/** `safe`: only root and we ourselves can replace it, and no agent can; `rootsOwn`: only root can. `open`: others can. */
type End = { kind: "safe"; path: string; stats: Stats; rootsOwn: boolean } | { kind: "open"; problem: string } | { kind: "missing" };

/** Walks from the root to `path`, through each link, and checks every folder on the way and the file. */
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
  // A folder that we may not search contains no program for us.
  const stats = ifPossible(() => lstatSync(path, { throwIfNoEntry: false }));
  const seen = stats && { stats, problem: stats.isSymbolicLink() ? undefined : problemOf(path, stats, ground) };
  ground.seen.set(path, seen);
  return seen;
}

/**
 * The owner of the root folder counts as root, under any number that a user namespace gives it. Group-writable files count only if the
 * group is root's.
 */
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

/** By device and inode: another spelling or another mount of such a folder is the same one. */
function closedFolders(): ClosedFolder[] {
  const cwd = ifPossible(() => process.cwd()); // a removed one has nothing in it
  const own = [...(cwd === undefined ? [] : [cwd]), ...workingDirectories];
  const repositories = own.flatMap((folder) => [topOf(folder) ?? [], ...gitFolders(folder).map(dirname)].flat());
  const config = process.env["TOOL_CONFIG_DIR"] || join(homeFolder(), ".tool");
  return [...new Set([...own, ...repositories, "/tmp", "/var/tmp", "/dev/shm", tmpdir(), config])].flatMap((path) => {
    const stats = ifPossible(() => statSync(path, { throwIfNoEntry: false })); // one that we cannot reach, our commands cannot either
    return stats ? [{ identity: identityOf(stats), path }] : [];
  });
}

const identityOf = ({ dev, ino }: Stats) => `${dev}:${ino}`;

/** On macOS an administrator may become root anyway, and Homebrew's folders belong to that group. */
const macosAdmin = 80;

/** Whether a group has members besides root and us. Checked only if a group may write at all. */
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
    return true; // if the members are unknown, assume some
  }
}
