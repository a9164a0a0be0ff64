// What there was before a command, kept on the disk while it runs: should this process be killed, the next one knows what the command left.

import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PutAside } from "../../../agent/sandbox-port.ts";
import type { ProcessIdentity } from "../../../board/disk.ts";
import type { Interrupted, LeftPlaces } from "../../../permissions/left-behind.ts";
import { processes } from "../../processes/processes.ts";
import { putAside } from "../quarantine.ts";
import { existing, newIn } from "./new-entries.ts";
import { classifiedTree, type Found } from "./tree.ts";

/** `known`: paths of what stood out. `since`: milliseconds of the clock that the disk's times are of. */
type Before = { process: ProcessIdentity; since: number; writable: string[]; known: string[] };

/**
 * `begin` returns what is called at the command's end. Of several that run at once, the record is of the one that began first: what is new since
 * then may be any one's. Each step is one system call, so that a kill leaves the whole record or none. Not synced: a process may end here,
 * not the machine.
 */
export function commandRecord(stateFolder: string): { begin(writable: string[], entries: Found[]): () => void } {
  const table = processes();
  const running = new Set<Before>();
  const write = (before: Before) => {
    mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
    const temporary = join(stateFolder, "running.tmp");
    writeFileSync(temporary, JSON.stringify(before), { mode: 0o600 });
    renameSync(temporary, join(stateFolder, file));
  };
  return {
    begin(writable, entries) {
      const before: Before = { process: table.self(), since: Date.now() - tickMs, writable, known: entries.map(({ path }) => path) };
      running.add(before);
      if (running.size === 1) write(before);
      return () => {
        const [first] = running;
        running.delete(before);
        const [next] = running;
        if (!next) rmSync(join(stateFolder, file), { force: true });
        else if (first === before) write(next);
      };
    },
  };
}

/** The times of some disks are as coarse as this. */
const tickMs = 2000;
const file = "running.json";

/** Puts aside what commands left whose process was killed while they ran. `folder` holds the state folders of all agents. */
export function putAsideInterrupted(folder: string, { writable, classOf, packages }: LeftPlaces): Interrupted {
  const table = processes();
  const moved: PutAside[] = [];
  const failed: string[] = [];
  for (const stateFolder of foldersIn(folder)) {
    const before = readBefore(stateFolder);
    if (!before || table.liveness(before.process).kind !== "gone" || !meet(before.writable, writable)) continue;
    const found = classifiedTree(
      before.writable.flatMap(existing).map(({ path }) => path),
      { classOf, packages },
    )();
    const left = found.kind === "seen" ? newIn(found.entries, (entry) => wasThere(entry, before)) : [];
    if (found.kind !== "seen") failed.push(`there are more than ${found.folders} folders below ${before.writable[0]}`);
    for (const { path } of left) {
      try {
        moved.push(putAside(path, join(stateFolder, "put-aside")));
      } catch (error) {
        failed.push(`${path} could not be moved away (${error instanceof Error ? error.message : String(error)})`);
      }
    }
    rmSync(join(stateFolder, file));
  }
  return { moved, failed };
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return []; // no command has run yet
  }
}

/** Undefined if no command was running. */
function readBefore(stateFolder: string): Before | undefined {
  try {
    return JSON.parse(readFileSync(join(stateFolder, file), "utf8"));
  } catch {
    return undefined;
  }
}

/** By its path; and what has not changed since then was there, though other rules of that time may have passed it over. */
function wasThere({ path }: Found, { known, since }: Before): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return known.includes(path) || stats === undefined || stats.ctimeMs < since;
}

function meet(some: string[], others: string[]): boolean {
  const within = (folder: string, path: string) => path === folder || path.startsWith(`${folder}/`);
  return some.some((one) => others.some((other) => within(one, other) || within(other, one)));
}
