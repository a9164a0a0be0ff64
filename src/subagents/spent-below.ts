// What the agents of a conversation have spent in earlier processes, read from their transcripts: each request is in exactly one of them.
import type { TranscriptEvent } from "../agent/events.ts";
import { nothingSpent, type Spending, withEvent, withSpending } from "../agent/spending.ts";
import type { AgentRecord } from "./record.ts";

/** `parent`: the agent whose conversation it is; undefined is the session itself. Agents at any depth below it count. */
export function spentBelow(
  records: readonly AgentRecord[],
  { parent, transcriptOf }: { parent: string | undefined; transcriptOf: (record: AgentRecord) => TranscriptEvent[] },
): Spending {
  return records
    .filter((record) => record.parent === parent)
    .reduce((sum, record) => {
      const own = transcriptOf(record).reduce(withEvent, sum);
      return withSpending(own, spentBelow(records, { parent: record.id, transcriptOf }));
    }, nothingSpent);
}
