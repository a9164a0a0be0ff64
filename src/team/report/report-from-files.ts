// The report of a team that continues, or whose lead died before it could report: the same facts, read from its files.
import type { Board } from "../../board/board.ts";
import type { BoardDisk } from "../../board/disk.ts";
import type { TeamRecord } from "../../board/team-record.ts";
import { readStatus } from "../member-files.ts";
import { memberIncidents } from "./incidents.ts";
import { readTranscript } from "./read-transcript.ts";
import { type TeamReport, teamReport } from "./report.ts";
import { createTouched } from "./touched.ts";

export type ReportPorts = { board: Board; record: TeamRecord; disk: Pick<BoardDisk, "read">; configDir: string };

/** `now`: for a team that continues; one that has ended is reported up to the last thing that happened. Throws when its list cannot be read. */
export function reportFromFiles(ports: ReportPorts, now: Date | undefined): TeamReport {
  const { board, record, disk } = ports;
  const list = board.tasks.read();
  if (!list.ok) throw new Error(list.reason);
  const events = board.follow().next();
  const statuses = record.members.flatMap(({ name }) => readStatus(disk, board.layout, name) ?? []);
  const transcripts = record.members.flatMap(({ name, session: planned, ended }) => {
    const session = statuses.find((status) => status.name === name)?.session ?? planned;
    return session === undefined
      ? []
      : { member: name, session, ended, isRunning: now !== undefined, events: readTranscript(ports, session) };
  });
  const startedAt = new Date(record.created_at);
  const touched = new Map(transcripts.map(({ member, events: past }) => [member, createTouched(past)]));
  return teamReport({
    team: record.name,
    tasks: list.list.tasks,
    events,
    members: statuses,
    changes: (name, task) => touched.get(name)?.changes(task) ?? [],
    incidents: memberIncidents(ports, transcripts, startedAt),
    startedAt,
    endedAt: now ?? new Date(events.at(-1)?.at ?? record.created_at),
  });
}
