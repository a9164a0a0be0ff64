import { describe, expect, it } from "vitest";
import { reconcile, reportsIn } from "../../src/subagents/reconcile.ts";
import { aRecord, aWorker } from "./kit.ts";

describe("reconcile()", () => {
  const nothing = { parentHas: new Set<string>(), transcriptOf: () => [] };
  const at = "2026-01-02T03:04:05.000Z";

  it("marks running agents as interrupted, and resumes the session's own background agents", () => {
    const records = [
      aRecord({ id: "a-1", state: "running", background: true }),
      aRecord({ id: "a-2", state: "pending", background: true }),
      aRecord({ id: "a-3", state: "running", background: false }),
      aRecord({ id: "a-4", state: "running", background: true, parent: "a-1" }),
      aRecord({ id: "a-5", state: "needs_permission", background: true, report: "r" }),
    ];
    const { records: now, goOn } = reconcile(records, nothing);
    expect(now.map(({ id, state }) => `${id} ${state}`)).toEqual([
      "a-1 failed",
      "a-2 failed",
      "a-3 failed",
      "a-4 failed",
      "a-5 needs_permission",
    ]);
    expect(goOn).toEqual(["a-1", "a-2"]);
    expect(reconcile(now, nothing)).toEqual({ records: now, goOn }); // the same if the next process is killed at once
  });

  it("resumes the workers of a coordinator that is resumed", () => {
    const coordinator = aRecord({ id: "a-coordinator", state: "running", background: true });
    const records = [coordinator, aWorker("log"), aWorker("orders", { state: "pending", phase: 2 })];
    expect(reconcile(records, nothing).goOn).toEqual(["a-coordinator", "a-log", "a-orders"]);
    expect(reconcile([{ ...coordinator, background: false }, ...records.slice(1)], nothing).goOn).toEqual([]);
  });

  it("counts a run as completed if its transcript is complete", () => {
    const record = aRecord({ state: "running", background: true });
    const { records, goOn } = reconcile([record], {
      ...nothing,
      transcriptOf: () => [{ type: "ended", ending: { kind: "done" }, text: "All found.", at }],
    });
    expect(records).toEqual([{ ...record, state: "completed", report: "All found." }]);
    expect(goOn).toEqual([]);
    const resumed = { ...record, run: 2, resumedAt: "2026-01-02T03:04:06.000Z" };
    const again = reconcile([resumed], {
      ...nothing,
      transcriptOf: () => [{ type: "ended", ending: { kind: "done" }, text: "All found.", at }],
    });
    expect([again.records[0]?.state, again.goOn]).toEqual(["failed", ["a-1"]]); // killed before its second run started
  });

  it("learns from the session's transcript which run's report was delivered", () => {
    const said = (agent: string, run: number) => ({
      type: "input" as const,
      inputs: [{ source: { kind: "agent" as const, agent, run }, text: "r" }],
      at,
    });
    const ended = { state: "completed" as const, report: "r", background: true };
    const records = [aRecord({ ...ended, id: "a-1" }), aRecord({ ...ended, id: "a-2", run: 2 }), aRecord({ ...ended, id: "a-3" })];
    const parentHas = reportsIn([said("a-1", 1), said("a-2", 1)]);
    expect(reconcile(records, { ...nothing, parentHas }).records.map(({ delivered }) => delivered)).toEqual([true, false, false]);
  });
});
