// Records of agents for tests.
import type { AgentRecord } from "../../src/subagents/record.ts";
import type { RecordFile } from "../../src/subagents/record-file.ts";
import type { Worker } from "../../src/subagents/workers/worker-order.ts";

export function aRecord(change: Partial<AgentRecord> = {}): AgentRecord {
  return {
    id: "a-1",
    name: "ada",
    description: "look at a",
    prompt: "look at a.txt",
    definition: { name: "general", prompt: "Do it.", disallowedTools: [] },
    model: "m",
    context: "fresh",
    depth: 1,
    call: "toolu_1",
    background: false,
    state: "pending",
    run: 1,
    delivered: false,
    turns: 0,
    usage: { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
    costUsd: 0,
    startedAt: "2026-01-02T03:04:05.000Z",
    transcript: "/t/agent-a-1.jsonl",
    ...change,
  };
}

/** Records in memory, as a record file keeps them. */
export function recordsOf(records: AgentRecord[]): RecordFile {
  const all = new Map(records.map((record) => [record.id, record]));
  return { all: () => [...all.values()], find: (id) => all.get(id), put: (record) => void all.set(record.id, record) };
}

/** A coordinator's order to start a worker. */
export const anOrder = () => ({
  component: "orders",
  files: ["src/orders.js", "test/orders.test.js"],
  framework: "src/log.js",
  version: "1",
  patterns: "as in src/time.js",
  instructions: "Log with it.",
  testCommand: "node --test test/orders.test.js",
  reportFields: ["what was changed", "how the tests ended"],
});

/** A worker of one coordinator, running unless stated otherwise. */
export function aWorker(
  component: string,
  { state = "running", ...worker }: Partial<Worker> & Pick<Partial<AgentRecord>, "state"> = {},
): AgentRecord & { worker: Worker } {
  const files = [`src/${component}.js`];
  return {
    ...aRecord({ id: `a-${component}`, name: component, parent: "a-coordinator", background: true, state }),
    worker: { component, files, newFiles: [], phase: 1, after: [], testCommand: "node --test", ...worker },
  };
}
