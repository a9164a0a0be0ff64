// commands.json of a session: the commands that its agents have started in the background. One process has a session, so it has one writer.
import { z } from "zod";
import type { BoardDisk } from "../board/disk.ts";
import { type CommandRecord, commandSchema, sessionEnded } from "./command.ts";

/** Where records are kept beyond this process. */
export type CommandRecords = {
  /** As they were when this process began: nothing of it runs any more. */
  earlier: CommandRecord[];
  keep(records: readonly CommandRecord[]): void;
};

type ProcessMark = { pid: number; start: string };
type RecordDisk = Pick<BoardDisk, "read" | "replace" | "makeFolder">;

const fileSchema = z.object({
  version: z.literal(1),
  /** Whose commands run while it lives. */
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

/** Of a process that has ended, nothing runs. */
export function interrupted(record: CommandRecord): CommandRecord {
  return record.state === "running" ? { ...record, state: "stopped", reason: sessionEnded } : record;
}

/** What cannot be understood holds nothing that anybody would miss. */
export function readCommands(disk: Pick<BoardDisk, "read">, sessionFolder: string): { process?: ProcessMark; commands: CommandRecord[] } {
  try {
    return fileSchema.parse(JSON.parse(disk.read(pathIn(sessionFolder))?.toString("utf8") ?? ""));
  } catch {
    return { commands: [] };
  }
}
