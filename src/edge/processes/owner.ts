// Whether an agent runs this program: detected by the marker TOOL_OWNER in the environment of this process or of an ancestor.
import { readFileSync } from "node:fs";
import { codeOf } from "../system-error.ts";

/**
 * `<session>:<agent>` of the agent that started this process, directly or not; undefined if a person did. Searches the ancestors in /proc,
 * so that a command that empties its environment is still recognized; without /proc, only this process's environment counts. A process that
 * has left its parents (double fork) is not recognized: this raises the bar, but does not prevent everything.
 */
export function actingAgent(env: Record<string, string | undefined> = process.env, pid: number = process.ppid): string | undefined {
  if (env["TOOL_OWNER"]) return env["TOOL_OWNER"];
  const seen = new Set<number>();
  for (let current = pid; current > 0 && !seen.has(current); current = parentOf(current)) {
    seen.add(current);
    const owner = /(?:^|\0)TOOL_OWNER=([^\0]+)/.exec(textOf(`/proc/${current}/environ`))?.[1];
    if (owner) return owner;
  }
  return undefined;
}

/** The second field after the program's name, which may contain any characters (proc(5)); 0 if there is no such process. */
function parentOf(pid: number): number {
  const stat = textOf(`/proc/${pid}/stat`);
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1] ?? 0);
}

/** Empty for a process that is gone or belongs to another user: then no agent of ours is visible as its ancestor. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (["ENOENT", "ESRCH", "EACCES", "EPERM"].includes(codeOf(error) ?? "")) return "";
    throw error;
  }
}
