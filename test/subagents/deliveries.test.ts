import { expect, it } from "vitest";
import { deliveries } from "../../src/subagents/deliveries.ts";
import type { AgentRecord } from "../../src/subagents/record.ts";
import { aRecord, recordsOf } from "./kit.ts";

const ended = { background: true, state: "completed" as const, report: "Found it." };

it("delivers a report once, and counts it as delivered when the transcript has it", () => {
  const records = recordsOf([aRecord(ended)]);
  const box = deliveries(records, undefined, records.put);
  expect(box.waits()).toBe(true);
  const inputs = box.take();
  expect(inputs.map(({ source, text }) => ({ source, text }))).toEqual([
    {
      source: { kind: "agent", agent: "a-1", run: 1 },
      text: '<agent_report agent="a-1" name="ada" task="look at a" state="completed">\nFound it.\n</agent_report>',
    },
  ]);
  expect([box.waits(), box.take()]).toEqual([false, []]);
  expect(records.find("a-1")?.delivered).toBe(false);
  box.recorded(inputs);
  expect(records.find("a-1")?.delivered).toBe(true);
  expect(box.take()).toEqual([]);
});

it("has the reports of its own background agents that have ended", () => {
  const records = recordsOf([
    aRecord({ ...ended, id: "a-1" }),
    aRecord({ ...ended, id: "a-2", background: false }),
    aRecord({ ...ended, id: "a-3", parent: "a-4" }),
    aRecord({ id: "a-4", background: true, state: "running" }),
    aRecord({ ...ended, id: "a-5", delivered: true }),
  ]);
  const agents = (parent: string | undefined) =>
    deliveries(records, parent, records.put)
      .take()
      .map(({ source }) => (source.kind === "agent" ? source.agent : ""));
  expect([agents(undefined), agents("a-4"), agents("a-2")]).toEqual([["a-1"], ["a-3"], []]);
});

it("delivers the report of an agent whose parent has ended to the parent's parent, and keeps it while the parent may continue", () => {
  const child = aRecord({ ...ended, id: "a-2", parent: "a-1" });
  const takenBySession = (parent: Partial<AgentRecord>) => {
    const records = recordsOf([aRecord({ background: true, ...parent }), child]);
    return deliveries(records, undefined, records.put).take().length;
  };
  expect(takenBySession({ state: "running" })).toBe(0);
  expect(takenBySession({ state: "needs_permission" })).toBe(0);
  expect(takenBySession({ state: "completed", report: "r", delivered: true })).toBe(1);
  expect(takenBySession({ state: "failed", report: "r", delivered: true })).toBe(1);
});

it("delivers the report of a later run again", () => {
  const records = recordsOf([aRecord({ ...ended, state: "needs_permission" })]);
  const box = deliveries(records, undefined, records.put);
  box.recorded(box.take());
  records.put(aRecord({ ...ended, run: 2 }));
  expect(box.take().map(({ source }) => source)).toEqual([{ kind: "agent", agent: "a-1", run: 2 }]);
});
