// What all requests of today have cost: the sum over the transcripts of all sessions and agents, ended ones included. A transcript only grows, so that
// each look reads what is new.
import type { TranscriptEvent } from "../../agent/events.ts";
import { jsonLines } from "../../agent/session/json-lines.ts";
import { addedUsd, allUsd, knownUsd, nothingSpent, withEvent } from "../../agent/spending.ts";
import type { BoardDisk } from "../../board/disk.ts";

export type CostDisk = Pick<BoardDisk, "list" | "changedAt" | "readFrom">;

/** `isPartial`: there were requests of unknown price. */
export type Cost = { costUsd: number; isPartial: boolean };

const nothing: Cost = { costUsd: 0, isPartial: false };

const added = (one: Cost, other: Cost): Cost => ({
  costUsd: addedUsd(one.costUsd, other.costUsd) ?? 0,
  isPartial: one.isPartial || other.isPartial,
});

function costOf(event: TranscriptEvent): Cost {
  const spent = withEvent(nothingSpent, event);
  return { costUsd: knownUsd(spent), isPartial: allUsd(spent) === null };
}

/** `changedMs`: of the file when it was read to its last whole line. */
type Counted = { offset: number; changedMs: number; cost: Cost };

/** `everyMs`: how often it looks for transcripts that it does not know; those that it knows are read on at each look. */
export function costToday(disk: CostDisk, projects: string, { everyMs }: { everyMs: number }) {
  let counted = new Map<string, Counted>();
  let dayMs = 0;
  let searchedMs = 0;
  return (now: Date): Cost => {
    const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate()).getTime();
    if (midnight !== dayMs || now.getTime() - searchedMs >= everyMs) {
      if (midnight !== dayMs) counted = new Map();
      dayMs = midnight;
      searchedMs = now.getTime();
      for (const path of transcriptsSince(disk, projects, dayMs))
        if (!counted.has(path)) counted.set(path, { offset: 0, changedMs: 0, cost: nothing });
    }
    for (const [path, one] of counted) counted.set(path, readOn(disk, path, { ...one, dayMs }));
    return [...counted.values()].map(({ cost }) => cost).reduce(added, nothing);
  };
}

/** Those of sessions that were written to, with those of their agents. */
function transcriptsSince(disk: CostDisk, projects: string, sinceMs: number): string[] {
  const transcripts = (folder: string) => disk.list(folder).flatMap((name) => (name.endsWith(".jsonl") ? `${folder}/${name}` : []));
  return disk
    .list(projects)
    .flatMap((project) => transcripts(`${projects}/${project}`))
    .filter((path) => (disk.changedAt(path)?.getTime() ?? 0) >= sinceMs)
    .flatMap((path) => [path, ...transcripts(`${path.slice(0, -".jsonl".length)}/subagents`)]);
}

function readOn(disk: CostDisk, path: string, { dayMs, ...one }: Counted & { dayMs: number }): Counted {
  const changedMs = disk.changedAt(path)?.getTime() ?? 0;
  if (changedMs < dayMs || changedMs === one.changedMs) return one;
  const { bytes } = disk.readFrom(path, one.offset);
  const whole = bytes.lastIndexOf(0x0a) + 1;
  const events = jsonLines<TranscriptEvent>(bytes.subarray(0, whole).toString("utf8"));
  const today = events.filter((event) => "at" in event && Date.parse(event.at) >= dayMs).map(costOf);
  return { offset: one.offset + whole, changedMs: whole === bytes.length ? changedMs : 0, cost: today.reduce(added, one.cost) };
}
