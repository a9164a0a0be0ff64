// Whether an agent runs us: the marker TOOL_OWNER in the environment of this process or of one above it.
import { readFileSync } from "node:fs";
import { codeOf } from "../system-error.ts";

/**
 * `<session>:<agent>` of the agent that started this process, directly or not; undefined when a person did. Looks upwards through
 * /proc, so that a command that empties its environment is still seen; where there is no /proc, this process's own must do. A process
 * that has left its parents (double fork) is not recognised: this is a hurdle, not a wall.
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

/** Second field after the program's name, which may contain anything (proc(5)); 0 when there is no such process. */
function parentOf(pid: number): number {
  const stat = textOf(`/proc/${pid}/stat`);
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1] ?? 0);
}

/** Empty for a process that is gone or another user's: neither was started by our agent in a way that we could see. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (["ENOENT", "ESRCH", "EACCES", "EPERM"].includes(codeOf(error) ?? "")) return "";
    throw error;
  }
}
