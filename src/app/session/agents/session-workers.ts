// Composes the workers of a session's coordinators: the tool that starts them, and the messages about each other's files.

import type { TranscriptEvent } from "../../../agent/events.ts";
import { newFilesMail } from "../../../agent/new-files.ts";
import type { Clock } from "../../../agent/ports/clock.ts";
import type { Failures } from "../../../agent/result/failures.ts";
import type { Mail } from "../../../agent/session/session.ts";
import type { Workspace } from "../../../agent/workspace.ts";
import type { BoardDisk } from "../../../board/disk.ts";
import { workerAgent } from "../../../subagents/definitions/built-in.ts";
import type { Definition } from "../../../subagents/definitions/definition.ts";
import type { AgentRecord } from "../../../subagents/record.ts";
import type { Subagents } from "../../../subagents/subagents.ts";
import type { Worker } from "../../../subagents/workers/worker-order.ts";
import { isRecorded } from "../../../subagents/workers/worker-rules.ts";
import { workerTool } from "../../../subagents/workers/worker-tool.ts";
import type { AnyTool } from "../../../tools/tool.ts";

export type WorkersOrder = { host: Subagents; cwd: string; disk: Pick<BoardDisk, "size"> };

const existsIn =
  ({ cwd, disk }: WorkersOrder) =>
  (path: string) =>
    disk.size(`${cwd}/${path}`) !== undefined;

export type CoordinatorOrder = WorkersOrder & {
  /** The tools of the definition that would start workers. */
  tools: readonly string[] | undefined;
  definitions: readonly Definition[];
  /** Used unless the person has defined a worker. */
  workerModel: string | undefined;
  modelOf: (wanted: string) => string;
  work: Pick<Workspace, "fileInTree">;
  self?: AgentRecord;
};

/** Only agents whose definition names the tool can start workers. */
export function workerTools(order: CoordinatorOrder): AnyTool[] {
  if (!order.tools?.some((text) => text.trim() === "StartWorker")) return [];
  const { host, definitions, workerModel, modelOf, work, self } = order;
  const builtIn = { ...workerAgent, ...(workerModel !== undefined && { model: workerModel }) };
  const definition = definitions.find(({ name }) => name === workerAgent.name) ?? builtIn;
  return [workerTool({ host, definition, modelOf, self, fileInTree: work.fileInTree, exists: existsIn(order) })];
}

/** `past`: the worker's earlier events. */
export function workerMail({ id, worker }: AgentRecord, past: readonly TranscriptEvent[], order: WorkersOrder): Mail | undefined {
  if (!worker) return undefined;
  const told = past.flatMap((event) => (event.type === "input" ? event.inputs.map(({ text }) => text) : []));
  const made = () => order.host.list().flatMap((other) => (other.worker && other.id !== id ? newFilesOf(other.worker) : []));
  return newFilesMail({ others: "workers", made, exists: existsIn(order), told });
}

function newFilesOf({ newFiles, component }: Worker) {
  return newFiles.map((path) => ({ path, by: component }));
}

/** Adds a worker that failed without recording it to the list of failures. */
export function recordFailed(
  { name: agent, worker, state, reason = "" }: AgentRecord,
  { failures, clock }: { failures: Pick<Failures, "record">; clock: Clock },
): void {
  if (!worker || state !== "failed" || isRecorded(reason)) return;
  failures.record({ at: clock.now().toISOString(), agent, item: worker.component, error: reason });
}
