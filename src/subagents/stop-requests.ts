// Requests to stop an agent of a session in another process. Each is a file beside agents.json, which that session reads. The file remains until the
// agent has ended, so a request survives a kill of the session.
import { type AgentRecord, isUnderWay, moved } from "./record.ts";
import type { RecordFile } from "./record-file.ts";

export type RequestDisk = {
  /** Atomic and durable. */
  replace(path: string, text: string): void;
  list(folder: string): string[];
  remove(path: string): void;
};

export const stopReason = "You stopped it from a shell.";

const requestPath = (sessionFolder: string, id: string) => `${sessionFolder}/stop-${id}`;

export function askToStop(disk: RequestDisk, sessionFolder: string, id: string): void {
  disk.replace(requestPath(sessionFolder, id), "");
}

/** Stops the agents that requests name, removes the requests whose agent has ended, and returns whether any request is left. */
export function obeyStops(
  disk: RequestDisk,
  sessionFolder: string,
  { find, stop }: { find: (id: string) => AgentRecord | undefined; stop: (id: string) => void },
): boolean {
  const wanted = disk.list(sessionFolder).flatMap((name) => /^stop-([\w-]+)$/.exec(name)?.[1] ?? []); // skips temporary files of unfinished writes
  return (
    wanted.filter((id) => {
      if (canStop(find(id))) stop(id);
      const isLeft = canStop(find(id));
      if (!isLeft) disk.remove(requestPath(sessionFolder, id));
      return isLeft;
    }).length > 0
  );
}

/** Stops an agent of a session that has no process: only its record changes. */
export function stopInRecords(records: RecordFile, id: string, at: string): AgentRecord | undefined {
  const record = records.find(id);
  if (!record || !canStop(record)) return undefined;
  const stopped = moved(record, "stopped", { reason: stopReason, report: record.report ?? stopReason, endedAt: at, now: undefined });
  records.put(stopped);
  return stopped;
}

export const canStop = (record: AgentRecord | undefined) =>
  record !== undefined && (isUnderWay(record) || record.state === "needs_permission");
