// Unix sockets with a path, as listed by the kernel. A read-only bind mount does not prevent connect(2), so the sandbox covers them.
import { readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join } from "node:path";
import { ifPossible } from "../../system-error.ts";

/** Covered as a whole in every sandbox: `/run` and the temporary folders contain the sockets of many programs. */
export const coveredFolders = ["/tmp", "/var/tmp", "/run"];

/** Real paths of the current sockets: every bound one of this network namespace, and those of `named` that are sockets, except `opened`. */
export function unixSockets({ named, opened }: { named: string[]; opened: string[] }): string[] {
  const paths = [...new Set(boundPaths())].flatMap(currentNames);
  const sockets = [...new Set([...paths, ...named])].filter(isSocket).map((path) => realpathSync.native(path));
  return [...new Set(sockets)].filter((path) => !opened.includes(path));
}

/**
 * The names that a socket may have, given the path at which it was bound. Some programs move theirs or link it to its final name, as OpenSSH
 * does with shared connections: then every socket of the folder counts, and if the folder was renamed, the same name in the folders beside it.
 */
function currentNames(path: string): string[] {
  const socket = statOf(path);
  if (socket?.isSocket() && socket.nlink === 1) return [path];
  const folder = dirname(path);
  if (coveredFolders.includes(folder)) return [];
  if (statOf(folder)) return namesIn(folder).map((name) => join(folder, name));
  const parent = dirname(folder);
  if (coveredFolders.includes(parent)) return [];
  return namesIn(parent).map((name) => join(parent, name, basename(path)));
}

/** proc(5): the eighth column is the path given to bind(2); "@" marks a name that is not in the file system. */
function boundPaths(): string[] {
  const [, ...lines] = (ifPossible(() => readFileSync("/proc/net/unix", "utf8")) ?? "").split("\n"); // the first line names the columns
  const paths = lines.flatMap((line) => /^(?:\S+\s+){7}([^@\s].*)$/.exec(line)?.[1] ?? []);
  const absolute = paths.filter(isAbsolute);
  const others = [...new Set(paths)].filter((path) => !isAbsolute(path));
  return others.length === 0
    ? absolute
    : [...absolute, ...workingDirectories().flatMap((folder) => others.map((path) => join(folder, path)))];
}

/** A socket bound by a relative path is relative to the working directory of its process at that time, which is usually its current one. */
function workingDirectories(): string[] {
  const folders = readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    return ifPossible(() => readlinkSync(`/proc/${pid}/cwd`)) ?? []; // it has ended, or belongs to another user
  });
  return [...new Set(folders)];
}

const isSocket = (path: string) => statOf(path)?.isSocket() === true;

// What we cannot reach, a command cannot either.
const statOf = (path: string) => ifPossible(() => statSync(path, { throwIfNoEntry: false }));
const namesIn = (folder: string) => ifPossible(() => readdirSync(folder)) ?? [];
