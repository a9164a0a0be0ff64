// Unix sockets that have a name on the disk, as the kernel lists them. A read-only bind does not stop connect(2), so the sandbox covers them.
import { readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";

/** Real paths of what is there now: each bound socket of this network namespace, and those of `named` that are one. Without `opened`. */
export function unixSockets({ named, opened }: { named: string[]; opened: string[] }): string[] {
  const sockets = [...new Set([...boundPaths(), ...named])].filter(isSocket).map((path) => realpathSync.native(path));
  return [...new Set(sockets)].filter((path) => !opened.includes(path));
}

/** proc(5): the eighth column is the path that was given to bind(2); "@" stands for a name that is not on the disk. */
function boundPaths(): string[] {
  const [, ...lines] = (readText("/proc/net/unix") ?? "").split("\n"); // without the heads of the columns
  const paths = lines.flatMap((line) => /^(?:\S+\s+){7}([^@\s].*)$/.exec(line)?.[1] ?? []);
  const absolute = paths.filter(isAbsolute);
  const others = [...new Set(paths)].filter((path) => !isAbsolute(path));
  return others.length === 0
    ? absolute
    : [...absolute, ...workingDirectories().flatMap((folder) => others.map((path) => join(folder, path)))];
}

/** A socket that was bound by a relative path lies where its process was then, which is mostly where it is. */
function workingDirectories(): string[] {
  const folders = readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      return readlinkSync(`/proc/${pid}/cwd`);
    } catch {
      return []; // it has ended, or is another user's
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
    return false; // what we may not reach, a command may not either
  }
}
