import { describe, expect, it } from "vitest";
import type { AgentRecord } from "../../../src/subagents/record.ts";
import type { EndedCall } from "../../../src/subagents/report.ts";
import { failureOf, overlapWith, unmet, waitsFor } from "../../../src/subagents/workers/worker-rules.ts";
import { aRecord, aWorker } from "../kit.ts";

const names = (records: AgentRecord[]) => records.map(({ name }) => name);

describe("waitsFor()", () => {
  const log = aWorker("log", { phase: 1 });
  const orders = aWorker("orders", { phase: 2 });
  const mail = aWorker("mail", { phase: 1, after: ["log"] });

  it("names workers of earlier phases and needed components", () => {
    const all = [log, orders, mail, aRecord()];
    expect([log, orders, mail, aRecord()].map((record) => names(waitsFor(record, all)))).toEqual([[], ["log", "mail"], ["log"], []]);
  });

  it("names none of another coordinator", () => {
    expect(waitsFor({ ...orders, parent: "a-other" }, [log])).toEqual([]);
  });
});

describe("overlapWith()", () => {
  const orders = aWorker("orders", { files: ["src/orders.js", "src/shared.js"], state: "running" });
  const stock = (change: Parameters<typeof aWorker>[1] = {}) => aWorker("stock", { files: ["src/stock.js", "src/shared.js"], ...change });

  it("names the worker and the file that two concurrent workers would change", () => {
    expect(overlapWith(stock(), [orders])).toEqual({ other: orders, file: "src/shared.js" });
    expect(overlapWith(stock({ files: ["src/stock.js"] }), [orders])).toBeUndefined();
    expect(overlapWith(stock(), [])).toBeUndefined();
  });

  it("lets one wait for the other because of its phase or its needs", () => {
    expect(overlapWith(stock({ phase: 2 }), [orders])).toBeUndefined();
    expect(overlapWith(stock({ after: ["orders"] }), [orders])).toBeUndefined();
    expect(overlapWith(stock(), [{ ...orders, state: "pending", worker: { ...orders.worker, phase: 2 } }])).toBeUndefined();
  });

  it("refuses one of an earlier phase while a later one runs already", () => {
    expect(overlapWith(stock(), [{ ...orders, worker: { ...orders.worker, phase: 2 } }])?.file).toBe("src/shared.js");
  });

  it("counts workers of other coordinators in every phase", () => {
    expect(overlapWith({ ...stock({ phase: 2 }), parent: "a-other" }, [orders])?.file).toBe("src/shared.js");
  });
});

describe("unmet()", () => {
  const orders = aWorker("orders", { after: ["log"] });

  it("names the state of a needed component, from its newest worker", () => {
    const failed = aWorker("log", { state: "failed" });
    expect(unmet(orders, [failed, orders])).toEqual(["log (failed)"]);
    expect(unmet(orders, [failed, orders, { ...failed, id: "a-again", state: "completed" }])).toEqual([]);
    expect(unmet(orders, [orders])).toEqual(["log (never started)"]);
  });
});

describe("failureOf()", () => {
  const worker = { testCommand: "node  --test test/a.test.js" };
  const ended = (name: string, subject: string, isError = false): EndedCall => ({
    type: "tool_ended",
    id: "toolu_1",
    name,
    subject,
    text: "",
    isError,
    summary: "",
    touched: [],
    ms: 1,
    at: "2026-01-02T03:04:05.000Z",
  });
  const tests = "node --test test/a.test.js";

  it.each([
    [[], undefined],
    [[ended("Bash", tests, true), ended("Bash", tests)], undefined],
    [[ended("Bash", tests), ended("Bash", "ls /x", true)], undefined],
    [[ended("Bash", tests), ended("Bash", tests, true)], `Its tests failed when it last ran them: ${tests}.`],
    [[ended("RecordFailure", "orders"), ended("Bash", tests)], "It recorded a failure: orders."],
    [[ended("RecordFailure", "orders", true)], undefined],
  ])("of %# is %o", (events, reason) => {
    expect(failureOf(worker, events)).toBe(reason);
  });
});
