// Unix sockets with a path, as listed by the kernel. A read-only bind mount does not prevent connect(2), so the sandbox covers them.
import { readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import { ifPossible } from "../../system-error.ts";

/** Covered as a whole in every sandbox: `/run` and the temporary folders contain the sockets of many programs. */
export const coveredFolders = ["/tmp", "/var/tmp", "/run"];

/** Real paths of the current sockets: every bound one of this network namespace, and those of `named` that are sockets, except `opened`. */
export function unixSockets({ named, opened }: { named: string[]; opened: string[] }): string[] {
  const sockets = [...currentNames(new Set(boundPaths())), ...named].filter(isSocket).flatMap((path) => realPathOf(path) ?? []);
  return [...new Set(sockets)].filter((path) => !opened.includes(path) && canBeReached(path));
}

/**
 * In the user namespace of a sandbox, root has no rights over what belongs to other users: a socket in a folder that such a user closed is out
 * of a command's reach, and out of bubblewrap's, which would fail to cover it. Any other user could not have found it here.
 */
function canBeReached(path: string): boolean {
  if (process.getuid?.() !== 0) return true;
  const groups = process.getgroups?.() ?? [];
  const folders: string[] = [];
  for (let folder = dirname(path); folder !== "/"; folder = dirname(folder)) folders.push(folder);
  return folders.every((folder) => {
    const { uid = 0, gid = 0, mode = 0 } = statOf(folder) ?? {};
    return uid === 0 || (mode & 0o001) !== 0 || ((mode & 0o010) !== 0 && groups.includes(gid));
  });
}

/**
 * The names that sockets may have, given the paths at which they were bound. Some programs move theirs or link it to its final name, as OpenSSH
 * does with shared connections: then every socket of the folder counts, and if a folder above it was renamed, the same path in the folders
 * beside that one. Where many may have gone from one folder, it is searched once.
 */
function currentNames(bound: Iterable<string>): Set<string> {
  const names = new Set<string>();
  const searched = new Set<string>();
  for (const path of bound) {
    const socket = statOf(path);
    let [gone, folder] = [undefined as string | undefined, dirname(path)];
    if (socket?.isSocket() && socket.nlink === 1) {
      names.add(path);
      continue;
    }
    for (; !statOf(folder); folder = dirname(folder)) gone = folder;
    const below = gone === undefined ? "" : relative(gone, path);
    if (coveredFolders.includes(folder) || searched.has(join(folder, below))) continue;
    searched.add(join(folder, below));
    for (const name of namesIn(folder)) names.add(join(folder, name, below));
  }
  return names;
}

/** proc(5): the eighth column is the path given to bind(2); "@" marks a name that is not in the file system. */
function boundPaths(): string[] {
  const [, ...lines] = (ifPossible(() => readFileSync("/proc/net/unix", "utf8")) ?? "").split("\n"); // the first line names the columns
  const paths = lines.flatMap((line) => /^(?:\S+\s+){7}([^@\s].*)$/.exec(line)?.[1] ?? []);
  const isFree = (path: string) => isAbsolute(path) && !itself.test(path);
  const others = [...new Set(paths.filter((path) => !isFree(path)))];
  const places = others.length === 0 ? [] : processPlaces();
  return [...paths.filter(isFree), ...others.flatMap((path) => foundOr([...new Set(places.map((place) => pathFrom(place, path)))]))];
}

/** Only if it is in none of its possible places, it may have been renamed in any of them. */
function foundOr(possible: string[]): string[] {
  const found = possible.filter(isSocket);
  return found.length > 0 ? found : possible;
}

/** Paths of the process that bound the socket. */
const itself = /^\/proc\/(?:thread-)?self\//;

type ProcessPlace = { pid: string; folder: string };

const pathFrom = ({ pid, folder }: ProcessPlace, path: string) =>
  isAbsolute(path) ? path.replace(itself, `/proc/${pid}/`) : join(folder, path);

/**
 * A socket bound by a relative path is relative to the working directory of its process at that time: usually its current one, or, for a
 * service that has left it, the one in which it was started.
 */
function processPlaces(): ProcessPlace[] {
  return readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    // undefined: it has ended, or belongs to another user
    const now = ifPossible(() => readlinkSync(`/proc/${pid}/cwd`));
    const first = ifPossible(() => /(?:^|\0)PWD=(\/[^\0]*)/.exec(readFileSync(`/proc/${pid}/environ`, "utf8"))?.[1]);
    return [...new Set([now, first])].flatMap((folder) => (folder === undefined ? [] : { pid, folder }));
  });
}

/** Undefined if it vanished meanwhile, or has none: a descriptor is no way for a command. */
const realPathOf = (path: string) => ifPossible(() => realpathSync.native(path));

const isSocket = (path: string) => statOf(path)?.isSocket() === true;

// What we cannot reach, a command cannot either.
const statOf = (path: string) => ifPossible(() => statSync(path, { throwIfNoEntry: false }));
const namesIn = (folder: string) => ifPossible(() => readdirSync(folder)) ?? [];
