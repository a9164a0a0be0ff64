// What this agent has read: several agents share one tree, and nobody writes over what they have not seen.
import type { Version } from "./disk.ts";

/** Path to the version last read or written. An agent that was restarted starts with none and reads again. */
export type ReadVersions = Map<string, Version>;

/** Why this agent may not write over `path` now; undefined when it has seen what is there. */
export function unseen(seen: ReadVersions, path: string, found: Version): string | undefined {
  const known = seen.get(path);
  if (known === found) return undefined;
  return known === undefined ? neverRead(path) : changedSince(path);
}

export function changedSince(path: string): string {
  return `"${path}" has changed since you read it: another agent or a command wrote it. Read it again, then repeat your change on what is there now`;
}

function neverRead(path: string): string {
  return `"${path}" exists and you have not read it. Read it first, so that nothing in it is lost`;
}
