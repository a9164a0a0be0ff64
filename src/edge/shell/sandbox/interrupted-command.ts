// Records on disk what existed before a command, while it runs: if this process is killed, the next one knows what the command left.

import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PutAside } from "../../../agent/sandbox-port.ts";
import type { ProcessIdentity } from "../../../board/disk.ts";
import type { Interrupted, LeftPlaces } from "../../../permissions/interrupted-commands.ts";
import { errorText } from "../../../wording/error-text.ts";
import { clock } from "../../clock.ts";
import { processes } from "../../processes/processes.ts";
import { ifPossible } from "../../system-error.ts";
import { putAside } from "../quarantine.ts";
import { existing, newIn } from "./new-entries.ts";
import { commandFile, foldersIn, putAsideName } from "./state-folder.ts";
import { classifiedTree, type Found } from "./tree.ts";

/**
 * `known`: paths that were exceptional before. `since`: milliseconds of the clock that file times use; `clockSetMs` tells whether that was set
 * meanwhile.
 */
type Before = { process: ProcessIdentity; since: number; clockSetMs: number; writable: string[]; known: string[] };

/**
 * `begin` returns a function to call when the command ends. Of several concurrent commands the record belongs to the first: files that are
 * new since then may come from any of them. Each step is one system call, so that a kill leaves a complete record or none. Not synced: it
 * protects against the end of a process, not of the machine.
 */
export function commandRecord(stateFolder: string): { begin(writable: string[], entries: Found[]): () => void } {
  const table = processes();
  const running = new Set<Before>();
  const write = (before: Before) => {
    mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
    const temporary = join(stateFolder, "running.tmp");
    writeFileSync(temporary, JSON.stringify(before), { mode: 0o600 });
    renameSync(temporary, join(stateFolder, commandFile));
  };
  return {
    begin(writable, entries) {
      const known = entries.map(({ path }) => path);
      const before: Before = { process: table.self(), since: Date.now() - tickMs, clockSetMs: clockSetMs(), writable, known };
      running.add(before);
      if (running.size === 1) write(before);
      return () => {
        const [first] = running;
        running.delete(before);
        const [next] = running;
        if (!next) rmSync(join(stateFolder, commandFile), { force: true });
        else if (first === before) write(next);
      };
    },
  };
}

/** The resolution of file times on some disks. */
const tickMs = 2000;

/** Changes when the clock is set, when the machine sleeps, and when it is started again. */
const clockSetMs = () => Date.now() - clock.monotonicMs();

/** Puts aside what interrupted commands left. `folder` contains the state folders of all agents. */
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
        moved.push(putAside(path, join(stateFolder, putAsideName)));
      } catch (error) {
        failed.push(`${path} could not be moved away (${errorText(error)})`);
      }
    }
    rmSync(join(stateFolder, commandFile));
  }
  return { moved, failed };
}

/** Undefined if no command was running. */
const readBefore = (stateFolder: string) => ifPossible(() => JSON.parse(readFileSync(join(stateFolder, commandFile), "utf8")) as Before);

/**
 * Known by its path; also, a file unchanged since then existed before, even if earlier rules did not list it. The times of files say nothing
 * if the clock was set.
 */
function wasThere({ path }: Found, before: Before): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  const isSameClock = Math.abs(clockSetMs() - before.clockSetMs) < tickMs / 2;
  return before.known.includes(path) || stats === undefined || (isSameClock && stats.ctimeMs < before.since);
}

function meet(some: string[], others: string[]): boolean {
  const within = (folder: string, path: string) => path === folder || path.startsWith(`${folder}/`);
  return some.some((one) => others.some((other) => within(one, other) || within(other, one)));
}
