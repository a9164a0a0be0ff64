// Corrects the records of a session whose process has ended, whether normally or by a kill. Pure.
import type { TranscriptEvent } from "../agent/events.ts";
import { type AgentRecord, isUnderWay } from "./record.ts";

/** The reason of a run that was cut off by the end of its process. */
export const interruptedReason = "The session ended while it ran.";

export type Reconciled = {
  records: AgentRecord[];
  /** Ids of interrupted background agents that continue by themselves. */
  goOn: string[];
};

/** `parentHas`: the runs whose reports are in the session's transcript. `transcriptOf`: the events of an agent. */
export function reconcile(
  records: readonly AgentRecord[],
  { parentHas, transcriptOf }: { parentHas: ReadonlySet<string>; transcriptOf: (record: AgentRecord) => TranscriptEvent[] },
): Reconciled {
  const goOn: string[] = [];
  const interrupted = (record: AgentRecord) => {
    if (record.background && (record.parent === undefined || (record.worker && goOn.includes(record.parent)))) goOn.push(record.id);
    return record;
  };
  const now = records.map((record): AgentRecord => {
    if (isUnderWay(record)) {
      const ended = record.state === "running" ? doneIn(transcriptOf(record), record.resumedAt) : undefined;
      if (ended !== undefined) return { ...record, state: "completed", report: ended };
      return interrupted({ ...record, state: "failed", reason: interruptedReason });
    }
    // The process that marked it as interrupted may have been killed before it continued with it.
    if (record.state === "failed" && record.reason === interruptedReason) return interrupted(record);
    return record.report !== undefined && !record.delivered && parentHas.has(runKey(record)) ? { ...record, delivered: true } : record;
  });
  return { records: now, goOn };
}

/** The last text of a run that was complete although its record does not say so. An end before `since` belongs to an earlier run. */
function doneIn(events: TranscriptEvent[], since = ""): string | undefined {
  const last = events.at(-1);
  return last?.type === "ended" && last.ending.kind === "done" && last.at >= since ? last.text : undefined;
}

const runKey = ({ id, run }: Pick<AgentRecord, "id" | "run">) => `${id} ${run}`;

/** The runs whose reports are among these events. */
export function reportsIn(events: Iterable<TranscriptEvent>): Set<string> {
  const ids = new Set<string>();
  for (const event of events) {
    if (event.type !== "input") continue;
    for (const { source } of event.inputs) if (source.kind === "agent") ids.add(runKey({ id: source.agent, run: source.run }));
  }
  return ids;
}
