// agents.json of a session: the records of all agents that it started. Only the session's process writes it.
import { dirname } from "node:path";
import { z } from "zod";
import { type AgentRecord, recordSchema } from "./record.ts";

export type RecordDisk = {
  read(path: string): Buffer | undefined;
  /** Replaces the file atomically and durably. */
  replace(path: string, text: string): void;
  makeFolder(path: string, options?: { durable: boolean }): void;
};

export type RecordFile = {
  all(): AgentRecord[];
  find(id: string): AgentRecord | undefined;
  /** Adds the record, or replaces the one with the same id. Durable before it returns. */
  put(record: AgentRecord): void;
};

const fileSchema = z.object({ version: z.literal(1), agents: z.array(recordSchema) });

const recordsPath = (sessionFolder: string) => `${sessionFolder}/agents.json`;

/** Throws if the file exists but cannot be understood, so that it is never overwritten. */
export function openRecords(disk: RecordDisk, sessionFolder: string): RecordFile {
  const path = recordsPath(sessionFolder);
  let records = readRecords(disk, sessionFolder);
  return {
    all: () => records,
    find: (id) => records.find((record) => record.id === id),
    put(record) {
      const at = records.findIndex(({ id }) => id === record.id);
      const next = at < 0 ? [...records, record] : records.with(at, record);
      disk.makeFolder(dirname(record.transcript), { durable: false }); // its folder is the session's, which exists by then
      disk.replace(path, `${JSON.stringify({ version: 1, agents: next }, null, 1)}\n`);
      records = next;
    },
  };
}

/** Reads the records of a session of another process. Throws if the file cannot be understood. */
export function readRecords(disk: Pick<RecordDisk, "read">, sessionFolder: string): AgentRecord[] {
  const path = recordsPath(sessionFolder);
  const text = disk.read(path)?.toString("utf8");
  if (text === undefined) return [];
  try {
    return fileSchema.parse(JSON.parse(text)).agents;
  } catch {
    throw new Error(`Cannot read ${path}: it is damaged. Move it away to go on without the agents that it names.`);
  }
}
