// Requests to stop an agent of a session that runs in another process: a file each beside agents.json, which that session reads, and which
// stays until the agent has ended. So a request outlives a session that is killed before it has obeyed.
import { type AgentRecord, isUnderWay, moved } from "./record.ts";
import type { RecordFile } from "./record-file.ts";

export type RequestDisk = {
  /** On the disk itself before this returns. */
  replace(path: string, text: string): void;
  list(folder: string): string[];
  remove(path: string): void;
};

export const stopReason = "You stopped it from a shell.";

const requestPath = (sessionFolder: string, id: string) => `${sessionFolder}/stop-${id}`;

export function askToStop(disk: RequestDisk, sessionFolder: string, id: string): void {
  disk.replace(requestPath(sessionFolder, id), "");
}

/** Obeys the requests for agents that can still be stopped, and removes those for agents that have ended. Says whether one is left. */
export function obeyStops(
  disk: RequestDisk,
  sessionFolder: string,
  { find, stop }: { find: (id: string) => AgentRecord | undefined; stop: (id: string) => void },
): boolean {
  const wanted = disk.list(sessionFolder).flatMap((name) => /^stop-([\w-]+)$/.exec(name)?.[1] ?? []); // not what is being written
  return (
    wanted.filter((id) => {
      if (canStop(find(id))) stop(id);
      const isLeft = canStop(find(id));
      if (!isLeft) disk.remove(requestPath(sessionFolder, id));
      return isLeft;
    }).length > 0
  );
}

/** Of a session that no process has: its records say so at once. */
export function stopInRecords(records: RecordFile, id: string, at: string): AgentRecord | undefined {
  const record = records.find(id);
  if (!record || !canStop(record)) return undefined;
  const stopped = moved(record, "stopped", { reason: stopReason, report: record.report ?? stopReason, endedAt: at, now: undefined });
  records.put(stopped);
  return stopped;
}

export const canStop = (record: AgentRecord | undefined) =>
  record !== undefined && (isUnderWay(record) || record.state === "needs_permission");
