// The processes of a team under chaos, from /proc alone: found by their environment and their parents.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

export type Found = { pid: number; parent: number; state: string; command: string };

/** Running processes that have `mark` in their environment, except this one. */
export function processesWith(mark: string): Found[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => (textOf(`/proc/${pid}/environ`).includes(mark) ? found(Number(pid)) : []));
}

/** The children of a process, and theirs. */
export function below(pid: number, all: Found[]): Found[] {
  const children = all.filter(({ parent }) => parent === pid);
  return children.flatMap((child) => [child, ...below(child.pid, all)]);
}

/** The Node processes with this role: `lead` is the one started as `team`. */
export function members(all: Found[]): { teammates: Found[]; others: Found[] } {
  const teammates = all.filter(({ pid, command }) => command.includes(" teammate --launch ") && isNode(pid));
  return { teammates, others: all.filter((one) => !teammates.includes(one)) };
}

/** False if the process has already ended. */
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
    return ""; // it has ended, or belongs to another user
  }
}
