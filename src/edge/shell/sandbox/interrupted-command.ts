// Records on disk what existed before a command, while it runs, and what was moved away and waits for an answer: if this process is killed,
// the next one knows what the command left.

import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { PutAside } from "../../../agent/ports/sandbox-port.ts";
import type { Interrupted, LeftPlaces } from "../../../agent/workspace/interrupted-commands.ts";
import type { ProcessIdentity } from "../../../board/disk.ts";
import { errorText } from "../../../wording/error-text.ts";
import { clock } from "../../clock.ts";
import { writeNamed } from "../../disk/durable.ts";
import { rawPath } from "../../disk/raw-path.ts";
import { processes } from "../../processes/processes.ts";
import { ifPossible } from "../../system-error.ts";
import { putAside } from "../quarantine.ts";
import { isBelow, openedBut } from "./closed-folders.ts";
import { linkedRepositories } from "./linked-repositories.ts";
import { type LinkMemory, linkMemory } from "./links/link-memory.ts";
import { type TakenBefore, takenBefore } from "./links/taken-file.ts";
import { existing, newIn } from "./new-entries.ts";
import { commandFile, foldersIn, putAsideName } from "./state-folder.ts";
import { classifiedTree, type Found, type TreeLook } from "./tree.ts";

/**
 * `known`: paths that were exceptional before, `links`: which link each of them was, by identity, and `bare`: the bare repositories; undefined if no command runs any more. `closed`: folders that could not be listed. `since`:
 * milliseconds of the clock that file times use; `clockSetMs` tells whether that was set meanwhile.
 */
type Before = {
  process: ProcessIdentity;
  since: number;
  clockSetMs: number;
  writable: string[];
  known: string[] | undefined;
  links?: Record<string, string>;
  bare?: string[];
  closed?: string[];
};

/** `open`: what is being moved away, or was, and no person has been asked about yet. */
type Recorded = Before & { open: PutAside[] };

export type CommandRecord = {
  /** Returns a function to call when the command ends. */
  begin(writable: string[], before: { entries: Found[]; closed: string[]; bare?: string[] }): () => void;
  /** Called before it is moved away. */
  moving(aside: PutAside): void;
  settled(aside: PutAside): void;
};

/**
 * Of several concurrent commands the record belongs to the first: files that are new since then may come from any of them. Each step is one
 * system call, so that a kill leaves a complete record or none. Not synced: it protects against the end of a process, not of the machine.
 */
export function commandRecord(stateFolder: string): CommandRecord {
  const table = processes();
  const running = new Set<Before>();
  let open: PutAside[] = [];
  let last: Before | undefined;
  const write = () => {
    const [first] = running;
    const before = first ?? (last && { ...last, known: undefined });
    if (before && (first || open.length > 0)) writeRecord(stateFolder, { ...before, open });
    else rmSync(join(stateFolder, commandFile), { force: true });
  };
  return {
    begin(writable, { entries, closed, bare = [] }) {
      const known = entries.map(({ path }) => path);
      const links = Object.fromEntries(entries.flatMap(({ kind, path, identity }) => (kind === "link" ? [[path, identity]] : [])));
      const since = Date.now() - tickMs;
      const before: Before = { process: table.self(), since, clockSetMs: clockSetMs(), writable, known, links, closed, bare };
      running.add(before);
      last = before;
      if (running.size === 1) write();
      return () => {
        const [first] = running;
        running.delete(before);
        // The command ran: an error here must not pass for its failure. A record that stays is replaced by that of the next command.
        if (first === before) ifPossible(write);
      };
    },
    moving(aside) {
      open = [...open.filter(({ kept }) => kept !== aside.kept), aside];
      write();
    },
    settled({ path }) {
      open = open.filter((each) => each.path !== path);
      write();
    },
  };
}

function writeRecord(stateFolder: string, record: Recorded): void {
  mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
  const temporary = join(stateFolder, "running.tmp");
  writeNamed(temporary, JSON.stringify(record));
  renameSync(temporary, join(stateFolder, commandFile));
}

/** The resolution of file times on some disks. */
const tickMs = 2000;

/** Changes when the clock is set, when the machine sleeps, and when it is started again. */
const clockSetMs = () => Date.now() - clock.monotonicMs();

/**
 * Puts aside what interrupted commands left and puts back the links that they had taken away, and returns that together with what nobody was
 * asked about. `folder` contains the state folders of all agents.
 */
export function putAsideInterrupted(folder: string, places: LeftPlaces, memory = linkMemory()): Interrupted {
  const table = processes();
  const all = { moved: [] as Interrupted["moved"], failed: [] as string[] };
  const taken = takenBefore(folder, places.writable, memory);
  let isOpen = false;
  for (const stateFolder of foldersIn(folder)) {
    const record = readRecord(stateFolder);
    if (!record || table.liveness(record.process).kind !== "gone" || !meet(record.writable, places.writable)) continue;
    const { failed, again } = record.known ? putAsideLeft(stateFolder, record, { ...places, taken, memory }) : { failed: [] };
    all.moved.push(...record.open.filter(({ kept }) => lstatSync(kept, { throwIfNoEntry: false })));
    all.failed.push(...failed, ...(again === undefined ? [] : [`${again}, so the next start looks again`]));
    isOpen ||= again !== undefined;
    if (again === undefined) rmSync(join(stateFolder, commandFile));
    else writeRecord(stateFolder, { ...record, open: [] });
  }
  if (isOpen) return { ...all, back: [], away: [] };
  taken.comeBack();
  return { ...all, ...taken.takeOver() };
}

type Left = LeftPlaces & { taken: TakenBefore; memory: LinkMemory };

/** Adds to what the record has open. `again`: why not all could be seen that the command may have left. */
function putAsideLeft(stateFolder: string, record: Recorded, { taken, memory, ...places }: Left): { failed: string[]; again?: string } {
  const failed: string[] = [];
  const note = (aside: PutAside) => {
    record.open.push(aside);
    writeRecord(stateFolder, record);
  };
  const moveAway = (path: string) => {
    try {
      putAside(path, { folder: join(stateFolder, putAsideName), note });
    } catch (error) {
      failed.push(`${path} could not be moved away (${errorText(error)})`);
    }
  };
  const look = looking(record, places);
  /** Returns why not all of it could be seen. */
  const moveNew = (found: TreeLook | undefined): string | undefined => {
    if (found?.kind !== "seen") return `${record.writable[0]} could not be read`;
    for (const { path } of newIn(found.entries, (entry) => wasThere(entry, record, memory))) moveAway(path);
    return found.unread?.message;
  };
  const first = look();
  const unread = (first?.kind === "seen" && first.unread?.files.filter((path) => !isUnchanged(path, record))) || [];
  for (const path of unread) moveAway(path);
  const again = moveNew(unread.length > 0 ? look() : first) ?? (taken.comeBack(moveAway) ? moveNew(look()) : undefined);
  return { failed, ...(again !== undefined && { again }) };
}

/** As before the command. */
function looking(record: Recorded, { classOf, packages, ownFolders }: LeftPlaces): () => TreeLook | undefined {
  const folders = record.writable.flatMap(existing).map(({ path }) => path);
  ownFolders?.learn(record.bare ?? []);
  const tree = classifiedTree(folders, { classOf, packages, linked: linkedRepositories(folders) });
  return () => ifPossible(() => tree(openedBut(record.closed ?? []), Number.POSITIVE_INFINITY));
}

/** Undefined if no command was running, and nothing was waiting for an answer. */
const readRecord = (stateFolder: string) => ifPossible(() => JSON.parse(readFileSync(join(stateFolder, commandFile), "utf8")) as Recorded);

/** Known by its path, and a link as the same one; also, a file unchanged since then existed before, even if earlier rules did not list it. */
const wasThere = ({ path, identity }: Found, before: Before, { restored }: LinkMemory): boolean =>
  (before.known?.includes(path) && (before.links?.[path] ?? identity) === identity) ||
  restored.get(path) === identity ||
  isBelow(path, before.closed ?? []) ||
  isUnchanged(path, before);

/** Or gone. The times of files say nothing if the clock was set. */
function isUnchanged(path: string, before: Before): boolean {
  const stats = lstatSync(rawPath(path), { throwIfNoEntry: false });
  const isSameClock = Math.abs(clockSetMs() - before.clockSetMs) < tickMs / 2;
  return stats === undefined || (isSameClock && stats.ctimeMs < before.since);
}

function meet(some: string[], others: string[]): boolean {
  const within = (folder: string, path: string) => path === folder || path.startsWith(`${folder}/`);
  return some.some((one) => others.some((other) => within(one, other) || within(other, one)));
}
