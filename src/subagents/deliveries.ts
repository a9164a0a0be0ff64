// Delivers reports to the conversation that waits for them. Each report enters once and counts as delivered when the transcript that holds it is on
// disk.
import type { Input } from "../agent/events.ts";
import type { Mail } from "../agent/session/session.ts";
import { reportText } from "./prompt.ts";
import type { AgentRecord, AgentState } from "./record.ts";
import type { RecordFile } from "./record-file.ts";

export type Deliveries = Mail & {
  waits(): boolean;
};

/**
 * Delivers the reports of background agents that `parent` started; `undefined` is the session itself. If the parent has ended, for instance because
 * the agent was resumed later, the report goes to the agent that started that parent.
 */
export function deliveries(records: RecordFile, parent: string | undefined, put: (record: AgentRecord) => void): Deliveries {
  /** Agents whose reports are in a request but not yet known to be on disk. */
  const inRequest = new Set<string>();
  const waiting = () =>
    records
      .all()
      .filter((record) => record.background && receiver(record, records) === parent && record.report !== undefined && !record.delivered);
  return {
    waits: () => waiting().some(({ id }) => !inRequest.has(id)),
    take: () =>
      waiting().flatMap((record): Input[] => {
        if (inRequest.has(record.id)) return [];
        inRequest.add(record.id);
        const { id, run, report = "" } = record;
        // The person has seen it at the end of the run.
        return [{ source: { kind: "agent", agent: id, run }, text: reportText(record, report), shown: "" }];
      }),
    recorded(inputs) {
      for (const { source } of inputs) {
        if (source.kind !== "agent" || !inRequest.delete(source.agent)) continue;
        const record = records.find(source.agent);
        if (record?.run === source.run) put({ ...record, delivered: true });
      }
    },
  };
}

/** The conversation in which the end of an agent counts: that of the agent which started it, or of the nearest one above that has not ended. */
export function receiver({ parent }: AgentRecord, records: Pick<RecordFile, "find">): string | undefined {
  const above = parent === undefined ? undefined : records.find(parent);
  return above && hasEnded.includes(above.state) ? receiver(above, records) : parent;
}

const hasEnded: AgentState[] = ["completed", "failed", "stopped"];
