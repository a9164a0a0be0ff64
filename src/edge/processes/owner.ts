// Whether an agent runs this program: detected by the marker TOOL_OWNER in the environment of this process or of an ancestor.
import { ownerOf, parentOf } from "./linux.ts";

/**
 * `<session>:<agent>` of the agent that started this process, directly or not; undefined if a person did. Searches the ancestors in /proc,
 * so that a command that empties its environment is still recognized; without /proc, only this process's environment counts. A process that
 * has left its parents (double fork) is not recognized: this raises the bar, but does not prevent everything.
 */
export function actingAgent(env: Record<string, string | undefined> = process.env, pid: number = process.ppid): string | undefined {
  return actingAgents(env, pid).next().value ?? undefined;
}

/** All of them, the nearest first: a program that plays a member may be an agent of its own. */
export function* actingAgents(env: Record<string, string | undefined> = process.env, pid: number = process.ppid): Generator<string> {
  if (env["TOOL_OWNER"]) yield env["TOOL_OWNER"];
  const seen = new Set<number>();
  for (let current = pid; current > 0 && !seen.has(current); current = parentOf(current)) {
    seen.add(current);
    const owner = ownerOf(current);
    if (owner) yield owner;
  }
}
