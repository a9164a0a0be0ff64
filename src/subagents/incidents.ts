// What an agent's last run adds to the outcome of the run that it was part of, read from its record.
import type { Incident } from "../agent/result/outcome.ts";
import { interruptedReason } from "./reconcile.ts";
import { type AgentRecord, isUnderWay } from "./record.ts";
import { isRecorded } from "./workers/worker-rules.ts";

/** Pure. The record is of an agent whose process has ended: one that is still at work was cut off. */
export function incidentsOf(record: AgentRecord): Incident[] {
  const { name: agent, denials = [] } = record;
  const denied = denials.map((denial): Incident => ({ kind: "denied", agent, ...denial }));
  if (record.state === "completed" || record.state === "needs_permission") return denied;
  const { reason = "It failed.", endedBy = "failed" } = isUnderWay(record) ? { reason: interruptedReason } : record;
  if (record.worker && isRecorded(reason)) return denied; // what it recorded itself says more
  return [...denied, { kind: endedBy, agent, item: record.worker?.component ?? record.description, reason }];
}
