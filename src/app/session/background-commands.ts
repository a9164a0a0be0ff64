// The background commands of this folder's sessions: where they are stored, and which of them run.
import type { TranscriptEvent } from "../../agent/events.ts";
import { projectFolder } from "../../agent/session/transcript.ts";
import type { CommandRecord } from "../../background/command.ts";
import { type CommandRecords, interrupted, openCommandRecords, readCommands } from "../../background/command-file.ts";
import type { BoardDisk } from "../../board/disk.ts";
import type { World } from "../world.ts";
import { sessionFolderOf } from "./session-claim.ts";

/** `transcript`: the session's, which may contain ends that the records lack. */
export async function sessionCommandRecords(
  { edges }: World,
  { disk, transcript, past }: { disk: BoardDisk; transcript: string; past: TranscriptEvent[] },
): Promise<CommandRecords> {
  const records = openCommandRecords(disk, { sessionFolder: sessionFolderOf(transcript), process: (await edges.processes()).self() });
  const told = reportedIn(past);
  return { ...records, earlier: records.earlier.map((record) => (told.has(record.id) ? { ...record, told: true } : record)) };
}

function reportedIn(events: TranscriptEvent[]): Set<string> {
  const inputs = events.flatMap((event) => (event.type === "input" ? event.inputs : []));
  return new Set(inputs.flatMap(({ source }) => (source.kind === "background" ? source.command : [])));
}

export type CommandHere = { session: string; record: CommandRecord; lastLine: string };

/** The commands of all sessions of this folder, those of the newest session last. */
export async function commandsHere({ edges, configDir, cwd }: World): Promise<CommandHere[]> {
  const [disk, table] = await Promise.all([edges.disk(), edges.processes()]);
  const folder = projectFolder(configDir, cwd);
  return disk.list(folder).flatMap((session) => {
    const { process, commands } = readCommands(disk, `${folder}/${session}`);
    const isOver = process === undefined || table.find(process.pid)?.start !== process.start;
    return commands.map((record) => ({
      session,
      record: isOver ? interrupted(record) : record,
      lastLine: lastLineOf(disk, record.output),
    }));
  });
}

function lastLineOf(disk: BoardDisk, path: string | undefined): string {
  const size = (path !== undefined && disk.size(path)) || 0;
  if (path === undefined || size === 0) return "";
  const text = disk.readFrom(path, Math.max(0, size - lastBytes)).bytes.toString("utf8");
  return text.split("\n").findLast((line) => line.trim() !== "") ?? "";
}

const lastBytes = 4 * 1024;
