// The file versions that this agent has read: several agents share one tree, and none may overwrite what it has not seen.
import type { Version } from "../disk.ts";

/** Path to the version last read or written. A restarted agent begins with those of its transcript (agent/session/read-files.ts). */
export type ReadVersions = Map<string, Version>;

/** Why this agent may not overwrite `path` now; undefined if it has seen the current version. */
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
