// Records of agents for tests.
import type { AgentRecord } from "../../src/subagents/record.ts";
import type { RecordFile } from "../../src/subagents/record-file.ts";

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
