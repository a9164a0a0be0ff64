// StartWorker with an agent host in memory.
import { describe, expect, it } from "vitest";
import { workerAgent } from "../../../src/subagents/definitions/built-in.ts";
import type { AgentRecord } from "../../../src/subagents/record.ts";
import type { StartOrder, StartResult, Subagents } from "../../../src/subagents/subagents.ts";
import { workerOrder } from "../../../src/subagents/workers/worker-order.ts";
import { workerTool } from "../../../src/subagents/workers/worker-tool.ts";
import { anOrder, aRecord, aWorker } from "../kit.ts";

const coordinator = aRecord({ id: "a-coordinator" });

/** `running`: workers of this coordinator that were started before. */
function tool({ running = [], refuses }: { running?: AgentRecord[]; refuses?: string } = {}) {
  const orders: StartOrder[] = [];
  const records = [...running];
  const host: Pick<Subagents, "start" | "list"> = {
    list: () => records,
    async start(order): Promise<StartResult> {
      if (refuses) return { kind: "refused", reason: refuses };
      orders.push(order);
      const { name = "", worker } = order;
      const record = aRecord({ id: "a-7", name, parent: "a-coordinator", background: true, ...(worker && { worker }) });
      records.push(record);
      return { kind: "background", record };
    },
  };
  const made = workerTool({
    host: host as Subagents,
    definition: workerAgent,
    modelOf: (wanted) => `model-of-${wanted}`,
    self: coordinator,
    fileInTree: async (path) =>
      path.startsWith("/") ? { ok: false, reason: "is outside" } : { ok: true, path: path.replace(/^\.\//, "") },
    exists: (path) => path.startsWith("src/"),
  });
  const start = (change: object = {}) =>
    made.run(workerOrder.parse({ ...anOrder(), ...change }), { signal: new AbortController().signal, call: "toolu_9" });
  return { start, orders };
}

describe("StartWorker", () => {
  it("starts a worker with its files, each once, and notes which of them are new", async () => {
    const { start, orders } = tool();
    const answer = await start({ component: "Order Log!", files: ["src/orders.js", "./src/orders.js", "test/orders.test.js"] });
    expect(answer).toEqual({
      text: "The worker order-log is at work as a-7. Its report arrives by itself; do not poll.",
      isError: false,
      summary: "a-7, at work",
    });
    expect(orders).toMatchObject([
      {
        name: "order-log",
        description: "Log with it.",
        model: "model-of-haiku",
        background: true,
        call: "toolu_9",
        parent: { id: "a-coordinator" },
        worker: { component: "Order Log!", files: ["src/orders.js", "test/orders.test.js"], newFiles: ["test/orders.test.js"] },
      },
    ]);
    expect(orders[0]?.prompt).toContain("- test/orders.test.js (new)");
  });

  it("names the workers that one of a later phase waits for", async () => {
    const { start } = tool({ running: [aWorker("log"), aWorker("ended", { state: "completed" })] });
    expect(await start({ phase: 2 })).toEqual({
      text: "The worker orders waits as a-7 and begins by itself when these have ended: log. Do not poll.",
      isError: false,
      summary: "a-7, waits for log",
    });
  });

  it("describes the work in a list by the beginning of its instructions", async () => {
    const { start, orders } = tool();
    await start({ instructions: "Log each order. Then run the tests." });
    await start({ instructions: "x".repeat(61), component: "???" });
    expect(orders.map(({ name, description }) => [name, description])).toEqual([
      ["orders", "Log each order."],
      ["worker", `${"x".repeat(60)}…`],
    ]);
  });

  it.each([
    [{ files: ["/etc/hosts"] }, 'Cannot start the worker "orders": the file "/etc/hosts" is outside.'],
    [
      { after: ["log"] },
      'Cannot start the worker "orders": it is to come after "log", and no worker of that component was started. Start that one first.',
    ],
  ])("refuses %o before anything runs", async (change, text) => {
    const { start, orders } = tool();
    expect(await start(change)).toEqual({ text, isError: true, summary: "refused" });
    expect(orders).toEqual([]);
  });

  it("passes on why the host refuses", async () => {
    const { start } = tool({ refuses: "Cannot start this agent: too deep." });
    expect(await start()).toEqual({ text: "Cannot start this agent: too deep.", isError: true, summary: "refused" });
  });
});
