// Whether a team can be resumed, and if not, why: one answer for the list of teams and for the resume itself.
import type { Board } from "../../board/board.ts";
import type { BoardDisk, Holder, Lock } from "../../board/disk.ts";
import type { TeamRecord } from "../../board/team-record.ts";
import { readStatus } from "../member-files.ts";

export type ResumablePorts = {
  board: Board;
  disk: Pick<BoardDisk, "read" | "changedAt">;
  lock: Pick<Lock, "holder">;
};

/** `session`: the lead's. The reason is a sentence without its full stop. */
export type Resumable = { ok: true; record: TeamRecord; session: string } | { ok: false; reason: string };

export function resumable({ board, disk, lock }: ResumablePorts): Resumable {
  const no = (reason: string): Resumable => ({ ok: false, reason });
  const read = board.record();
  if (!read.ok) return no(read.reason);
  const { record } = read;
  if (record.name !== board.name) return no(`its folder is a copy of team ${record.name}'s folder: resume that team`);
  const lead = board.holder(record.lead);
  if (lead)
    return no(
      lead.kind === "alive" ? `its lead is running, as process ${lead.pid}` : elsewhereWords(lead, board.layout.claim(record.lead)),
    );
  const resuming = lock.holder(board.layout.resume);
  if (resuming)
    return no(
      resuming.kind === "alive" ? `process ${resuming.pid} is resuming it just now` : elsewhereWords(resuming, board.layout.resume),
    );
  const list = board.tasks.read();
  if (!list.ok) return no(list.reason);
  const session = record.members.find(({ name }) => name === record.lead)?.session ?? readStatus(disk, board.layout, record.lead)?.session;
  if (session === undefined)
    return no("it has never had a lead process: its members are other programs, or it was killed before its lead started");
  if (disk.changedAt(record.cwd) === undefined)
    return no(`its working directory ${record.cwd} does not exist: move it back, and try again`);
  return { ok: true, record, session };
}

/** Whether a process on another machine still runs cannot be known here. */
function elsewhereWords({ where }: Extract<Holder, { kind: "elsewhere" }>, claim: string): string {
  return `it is held by ${where}, which cannot be seen from here: end it there, or remove ${claim} if that machine is gone`;
}
