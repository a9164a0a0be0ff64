// Unix sockets with a path, as listed by the kernel. A read-only bind mount does not prevent connect(2), so the sandbox covers them.
import { readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";

/** Real paths of the current sockets: every bound one of this network namespace, and those of `named` that are sockets, except `opened`. */
export function unixSockets({ named, opened }: { named: string[]; opened: string[] }): string[] {
  const sockets = [...new Set([...boundPaths(), ...named])].filter(isSocket).map((path) => realpathSync.native(path));
  return [...new Set(sockets)].filter((path) => !opened.includes(path));
}

/** proc(5): the eighth column is the path given to bind(2); "@" marks a name that is not in the file system. */
function boundPaths(): string[] {
  const [, ...lines] = (readText("/proc/net/unix") ?? "").split("\n"); // without the column headers
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
    try {
      return readlinkSync(`/proc/${pid}/cwd`);
    } catch {
      return []; // it has ended, or belongs to another user
    }
  });
  return [...new Set(folders)];
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // not Linux
  }
}

function isSocket(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isSocket() === true;
  } catch {
    return false; // unreachable for us, and so for a command
  }
}
