// The team's log. All processes append to it without a lock, so readers must expect torn lines and events that did not happen.

import { dirname } from "node:path";
import type { BoardDisk } from "./disk.ts";
import { type TeamEvent, teamEventSchema } from "./event.ts";
import { followLines } from "./follow-lines.ts";
import { contentOf } from "./json-file.ts";

/** A line is written with a single write of at most this many bytes, so that lines of several processes never mix. */
const maxLineBytes = 4096;
/** Longer texts are cut: the task list or the mailbox has the whole text. The second limit is for texts with many escapes. */
const limits: Limit[] = [
  { text: 500, list: 40 },
  { text: 120, list: 0 },
];
type Limit = { text: number; list: number };

/** Appends one event. Throws what the disk throws. */
export function appendEvent(disk: Pick<BoardDisk, "append" | "makeFolder">, path: string, event: TeamEvent): void {
  const text = line(event);
  try {
    disk.append(path, text);
  } catch (error) {
    if ((error as { code?: string }).code !== "ENOENT") throw error;
    // The folder was removed by hand: the log begins again.
    disk.makeFolder(dirname(path));
    disk.append(path, text);
  }
}

export type Follower = {
  /** The confirmed events since the last call, in order. */
  next(): TeamEvent[];
};

/**
 * Follows the log from its start. `revision` returns the task list's revision. An event with a later revision has been announced but has not
 * happened, so it is held back. Of two events with the same revision the last one is valid: the writer of the first was killed before it changed the
 * list. If `revision` returns undefined (the list cannot be read), nothing is held back.
 */
export function followLog(disk: Pick<BoardDisk, "readFrom">, path: string, revision: () => number | undefined): Follower {
  const reader = readLog(disk, path);
  let held: TeamEvent[] = [];
  return {
    next() {
      // Read the revision before the log: every event up to it was appended before the list reached it.
      const reached = revision() ?? Number.POSITIVE_INFINITY;
      const events = onlyLastOfRevision([...held, ...reader.next()]);
      held = events.filter((event) => revisionOf(event) > reached);
      return events.filter((event) => revisionOf(event) <= reached);
    },
  };
}

/** Every complete line of the log, including events that did not happen. A line that a kill has torn, or that is no event, is skipped. */
export function readLog(disk: Pick<BoardDisk, "readFrom">, path: string): Follower {
  const lines = followLines(disk, path);
  return { next: () => lines().flatMap((text) => contentOf(text, teamEventSchema) ?? []) };
}

function line(event: TeamEvent): string {
  for (const limit of limits) {
    const text = `\n${JSON.stringify(event, (_key, value) => cut(value, limit))}\n`;
    if (Buffer.byteLength(text) <= maxLineBytes) return text;
  }
  throw new Error(`Cannot log ${event.kind}: it does not fit into ${maxLineBytes} bytes`);
}

/** A list that is too long is omitted, because half a list would be wrong. */
function cut(value: unknown, { text, list }: Limit): unknown {
  if (Array.isArray(value)) return value.length > list ? undefined : value;
  if (typeof value !== "string" || value.length <= text) return value;
  return `${value.slice(0, text).toWellFormed()}…`;
}

function onlyLastOfRevision(events: TeamEvent[]): TeamEvent[] {
  const last = new Map(events.map((event, index) => [revisionOf(event), index]));
  return events.filter((event, index) => revisionOf(event) === alwaysTrue || last.get(revisionOf(event)) === index);
}

/** The revision of events that change no list: they are valid at once. */
const alwaysTrue = 0;

function revisionOf(event: TeamEvent): number {
  return "revision" in event ? event.revision : alwaysTrue;
}
