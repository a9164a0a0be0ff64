// What the units of a batch add to its outcome.
import { type Incident, wholeSession } from "../agent/result/outcome.ts";
import type { BatchStore } from "./batch-record.ts";
import { type BatchEnd, failureText } from "./run-batch.ts";

/** Whose the incidents of the batch as a whole are. */
export const batchItself = "batch";

/** Read from its records. `command`: the one for batches. */
export function batchIncidents({ batch, plan, unit }: BatchStore, end: BatchEnd, command: string): Incident[] {
  const agent = batchItself;
  const ofUnits = plan.units.flatMap(({ id, title }): Incident[] => {
    const record = unit(id);
    const reason = failureText(record);
    if (reason === undefined) return [];
    return record.incidents?.length ? record.incidents : [{ kind: "failed", agent: id, item: title, reason }];
  });
  switch (end) {
    case "finished":
      return ofUnits;
    case "interrupted":
      return [{ kind: "interrupted", agent }, ...ofUnits];
    case "budget":
      return [{ kind: "budget", agent, item: wholeSession, reason: budgetReason(batch, command) }, ...ofUnits];
  }
}

function budgetReason({ id, budget_usd: usd }: BatchStore["batch"], command: string): string {
  return `The budget of $${usd} is not enough to continue. To continue with another: ${command} --resume ${id} --budget-usd <x>`;
}
