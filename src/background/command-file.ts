// commands.json of a session: the background commands of its agents. Only the session's process writes it.
import { z } from "zod";
import type { BoardDisk } from "../board/disk.ts";
import { type CommandRecord, commandSchema, sessionEnded } from "./command.ts";

/** The stored records of a session. */
export type CommandRecords = {
  /** The records of earlier processes. None of these commands runs any more. */
  earlier: CommandRecord[];
  keep(records: readonly CommandRecord[]): void;
};

type ProcessMark = { pid: number; start: string };
type RecordDisk = Pick<BoardDisk, "read" | "replace" | "makeFolder">;

const fileSchema = z.object({
  version: z.literal(1),
  /** The session's process. The commands run only as long as it does. */
  process: z.object({ pid: z.number(), start: z.string() }),
  commands: z.array(commandSchema),
});

const pathIn = (sessionFolder: string) => `${sessionFolder}/commands.json`;

export function openCommandRecords(
  disk: RecordDisk,
  { sessionFolder, process: { pid, start } }: { sessionFolder: string; process: ProcessMark },
): CommandRecords {
  const process = { pid, start };
  return {
    earlier: readCommands(disk, sessionFolder).commands.map(interrupted),
    keep(records) {
      disk.makeFolder(sessionFolder);
      disk.replace(pathIn(sessionFolder), `${JSON.stringify({ version: 1, process, commands: records.slice(-mostKept) }, null, 1)}\n`);
    },
  };
}

const mostKept = 100;

/** The record of a command whose session process has ended. */
export function interrupted(record: CommandRecord): CommandRecord {
  return record.state === "running" ? { ...record, state: "stopped", reason: sessionEnded } : record;
}

/** A file that cannot be understood counts as empty: losing these records does no harm. */
export function readCommands(disk: Pick<BoardDisk, "read">, sessionFolder: string): { process?: ProcessMark; commands: CommandRecord[] } {
  try {
    return fileSchema.parse(JSON.parse(disk.read(pathIn(sessionFolder))?.toString("utf8") ?? ""));
  } catch {
    return { commands: [] };
  }
}
