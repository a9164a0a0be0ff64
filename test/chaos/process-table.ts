// The processes of a team under chaos, from /proc alone: by what they have in their environment and whose children they are.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

export type Found = { pid: number; parent: number; state: string; command: string };

/** Living processes that have `mark` in their environment, this one aside. */
export function processesWith(mark: string): Found[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => (textOf(`/proc/${pid}/environ`).includes(mark) ? found(Number(pid)) : []));
}

/** Those that a process has started, and theirs. */
export function below(pid: number, all: Found[]): Found[] {
  const children = all.filter(({ parent }) => parent === pid);
  return children.flatMap((child) => [child, ...below(child.pid, all)]);
}

/** Node, playing this part: `lead` is the one that was started as `team`. */
export function members(all: Found[]): { teammates: Found[]; others: Found[] } {
  const teammates = all.filter(({ pid, command }) => command.includes(" teammate --launch ") && isNode(pid));
  return { teammates, others: all.filter((one) => !teammates.includes(one)) };
}

/** False when it has ended meanwhile. */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

function isNode(pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/exe`) === process.execPath;
  } catch {
    return false;
  }
}

function found(pid: number): Found[] {
  const [, state = "", parent = ""] = /\) (\S) (\d+) /.exec(textOf(`/proc/${pid}/stat`)) ?? [];
  if (state === "" || state === "Z" || state === "X") return [];
  return [{ pid, parent: Number(parent), state, command: textOf(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim() }];
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // it has ended, or is somebody else's
  }
}
