// The files by which members are started, watched and remembered: launch.json, status.json, exit.json and their lines in team.json.
import type { z } from "zod";
import type { Board } from "../board/board.ts";
import type { BoardDisk, PatientDisk } from "../board/disk.ts";
import { contentOf } from "../board/json-file.ts";
import type { TeamLayout } from "../board/layout.ts";
import { changeMember, type TeamRecord } from "../board/team-record.ts";
import type { Launch } from "./launch.ts";
import type { MemberFiles } from "./lead/supervisor.ts";
import { exitSchema, type MemberExit, type MemberStatus, statusSchema } from "./report/status.ts";

export type MemberFilesSetup = {
  disk: PatientDisk;
  board: Pick<Board, "layout" | "changeRecord">;
  /** What launch.json of a member says, nonce aside. */
  launchOf: (name: string) => { ok: true; launch: Omit<Launch, "nonce"> } | { ok: false; reason: string };
  requestStop: (name: string) => boolean;
  statusOf: StatusOf;
};

export type StatusOf = (name: string) => MemberStatus | undefined;

export function memberFiles({ disk, board, launchOf, requestStop, statusOf }: MemberFilesSetup): MemberFiles {
  const { layout } = board;
  const launchPath = (name: string) => `${layout.member(name)}/launch.json`;
  return {
    async prepare(name, nonce) {
      disk.makeFolder(layout.member(name));
      disk.remove(exitPath(layout, name));
      const found = launchOf(name);
      if (!found.ok) return found;
      const hasEnded = (record: TeamRecord) => record.members.some((member) => member.name === name && member.ended);
      const begun = await board.changeRecord((record) => (hasEnded(record) ? changeMember(record, name, { ended: undefined }) : record));
      if (!begun.ok) return begun;
      disk.replace(launchPath(name), JSON.stringify({ ...found.launch, nonce } satisfies Launch), { durable: false });
      await disk.written();
      return { ok: true, path: launchPath(name) };
    },
    discard: (name) => disk.remove(launchPath(name)),
    status: statusOf,
    exit: (name) => readExit(disk, layout, name),
    recordPlace: (name, display) => board.changeRecord((record) => changeMember(record, name, { display })),
    requestStop,
  };
}

/** The status of a member, also of one that has ended; undefined when it never started or the file cannot be read. */
export function readStatus(disk: Pick<BoardDisk, "read">, layout: TeamLayout, name: string): MemberStatus | undefined {
  return readParsed(disk, statusPath(layout, name), statusSchema);
}

/** `readStatus` for a lead, which reads all of them several times a second: a file is parsed again only if its text is another. */
export function statusReader(disk: Pick<BoardDisk, "read">, layout: TeamLayout): StatusOf {
  const last = new Map<string, { text: string; status: MemberStatus | undefined }>();
  return (name) => {
    const text = readable(disk, statusPath(layout, name))?.toString() ?? "";
    const known = last.get(name);
    if (text === known?.text) return known.status;
    const status = contentOf(text, statusSchema);
    last.set(name, { text, status });
    return status;
  };
}

export function readExit(disk: Pick<BoardDisk, "read">, layout: TeamLayout, name: string): MemberExit | undefined {
  return readParsed(disk, exitPath(layout, name), exitSchema);
}

/** What its last process said when it ended; undefined when that was killed before it could, or lives. */
export function ownExit(disk: Pick<BoardDisk, "read">, layout: TeamLayout, name: string): MemberExit | undefined {
  const exit = readExit(disk, layout, name);
  return exit?.nonce === readStatus(disk, layout, name)?.nonce ? exit : undefined;
}

/** When it last wrote its status. */
export function lastSeen(disk: Pick<BoardDisk, "changedAt">, layout: TeamLayout, name: string): Date | undefined {
  return disk.changedAt(statusPath(layout, name));
}

/** While it works its transcript says the same, and the next status follows soon. */
export function writeStatus(disk: Pick<BoardDisk, "replace">, layout: TeamLayout, status: MemberStatus): void {
  disk.replace(statusPath(layout, status.name), JSON.stringify(status), { durable: status.state !== "working" });
}

export function writeExit(disk: Pick<BoardDisk, "replace">, layout: TeamLayout, { name, exit }: { name: string; exit: MemberExit }): void {
  disk.replace(exitPath(layout, name), JSON.stringify(exit));
}

function statusPath(layout: TeamLayout, name: string): string {
  return `${layout.member(name)}/status.json`;
}

function exitPath(layout: TeamLayout, name: string): string {
  return `${layout.member(name)}/exit.json`;
}

/** A member's own file that cannot be read is no reason for another member to end. */
function readParsed<T>(disk: Pick<BoardDisk, "read">, path: string, schema: z.ZodType<T>): T | undefined {
  return contentOf(readable(disk, path), schema);
}

function readable(disk: Pick<BoardDisk, "read">, path: string): Buffer | undefined {
  try {
    return disk.read(path);
  } catch {
    return undefined; // the disk refuses at the moment
  }
}
