// How workers run beside each other: which files overlap, which worker waits for which, and when a worker has failed. Pure.
import { type AgentRecord, stateWords } from "../record.ts";
import type { EndedCall } from "../report.ts";
import type { Worker } from "./worker-order.ts";

export type WorkerRecord = AgentRecord & { worker: Worker };

const isWorker = (record: AgentRecord): record is WorkerRecord => record.worker !== undefined;

/** The running or queued workers that this one waits for: those of earlier phases, and those of components that it needs. */
export function waitsFor(record: AgentRecord, underWay: readonly AgentRecord[]): WorkerRecord[] {
  if (!isWorker(record)) return [];
  const { phase, after } = record.worker;
  return underWay
    .filter(isWorker)
    .filter(({ id, parent }) => id !== record.id && parent === record.parent)
    .filter(({ worker }) => worker.phase < phase || after.includes(worker.component));
}

/** A running or queued worker that would change one of this worker's files. */
export function overlapWith(record: AgentRecord, underWay: readonly AgentRecord[]): { other: WorkerRecord; file: string } | undefined {
  if (!isWorker(record)) return undefined;
  for (const other of underWay.filter(isWorker)) {
    const takesTurns = waitsFor(record, [other]).length > 0 || (other.state === "pending" && waitsFor(other, [record]).length > 0);
    const file = other.id === record.id || takesTurns ? undefined : record.worker.files.find((path) => other.worker.files.includes(path));
    if (file !== undefined) return { other, file };
  }
  return undefined;
}

/** The components that it needs and that are not completed, each with its state. */
export function unmet(record: AgentRecord, all: readonly AgentRecord[]): string[] {
  return (record.worker?.after ?? []).flatMap((component) => {
    const last = all.findLast(({ parent, worker }) => parent === record.parent && worker?.component === component);
    return last?.state === "completed" ? [] : [`${component} (${last ? stateWords(last.state) : "never started"})`];
  });
}

/** Why a worker that ended normally has still failed, judged by its calls; a sentence. */
export function failureOf({ testCommand }: Pick<Worker, "testCommand">, ended: readonly EndedCall[]): string | undefined {
  const recorded = ended.findLast(({ name, isError }) => name === "RecordFailure" && !isError);
  if (recorded) return `${recordedReason}${recorded.subject}.`;
  const command = testCommand.trim().replaceAll(/\s+/g, " ");
  const tested = ended.findLast(({ name, subject }) => name === "Bash" && subject === command);
  return tested?.isError ? `Its tests failed when it last ran them: ${command}.` : undefined;
}

const recordedReason = "It recorded a failure: ";

/** Whether the worker itself recorded the failure. */
export const isRecorded = (reason: string) => reason.startsWith(recordedReason);
