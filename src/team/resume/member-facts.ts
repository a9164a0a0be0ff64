// What is left of each member of a team that is to be resumed, read from its files and the process table.
import { createHistory } from "../../agent/session/history.ts";
import type { Board } from "../../board/board.ts";
import type { BoardDisk } from "../../board/disk.ts";
import type { Member, TeamRecord } from "../../board/team-record.ts";
import { displayHandle } from "../display/display.ts";
import { readStatus } from "../member-files.ts";
import { memberProcess, type ProcessTable } from "../member-process.ts";
import { unreadMail } from "../member-session.ts";
import { readTranscript } from "../report/read-transcript.ts";
import type { MemberFacts } from "./plan.ts";

export type FactsPorts = {
  board: Board;
  disk: Pick<BoardDisk, "read">;
  configDir: string;
  processes: Pick<ProcessTable, "find">;
  /** Calls of that member that waited for the person's answer when it ended. */
  unanswered: (name: string) => string[];
};

export function memberFacts(ports: FactsPorts, record: TeamRecord, member: Member): MemberFacts {
  const { board, disk, processes } = ports;
  const { name } = member;
  const status = readStatus(disk, board.layout, name);
  const session = member.session ?? status?.session;
  const past = session === undefined ? [] : readTranscript({ ...ports, record }, session);
  const unanswered = new Set(ports.unanswered(name));
  const pending = createHistory(past).pendingCalls();
  return {
    member: { ...member, ...(session !== undefined && { session }) },
    process: memberProcess(board, name, processes),
    status,
    handle: displayHandle.safeParse(member.display).data,
    turns: past.filter(({ type }) => type === "reply").length,
    unread: unreadMail(past, board.mailbox(name)).length,
    questions: pending.filter(({ id }) => unanswered.has(id)).length,
    interrupted: pending.filter(({ id }) => !unanswered.has(id)).length,
    lost: past.length === 0 && (status?.turns ?? 0) > 0,
  };
}

/** The newest event in the members' transcripts; without any, the team's beginning. */
export function lastHeardOf({ disk, configDir }: Pick<FactsPorts, "disk" | "configDir">, record: TeamRecord): string {
  const sessions = record.members.flatMap(({ session }) => session ?? []);
  const times = sessions.flatMap((session) => readTranscript({ disk, configDir, record }, session).at(-1)?.at ?? []);
  return [record.created_at, ...times].toSorted().at(-1) ?? record.created_at;
}
