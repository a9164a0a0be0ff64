import { expect, it } from "vitest";
import type { TranscriptEvent } from "../../src/agent/events.ts";
import { allUsd } from "../../src/agent/spending.ts";
import type { AgentRecord } from "../../src/subagents/record.ts";
import { spentBelow } from "../../src/subagents/spent-below.ts";
import { aRecord } from "./kit.ts";

const usage = { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
const costs: Record<string, number> = { ada: 1, bo: 0.1, cy: 0.01 };
const transcriptOf = ({ id }: AgentRecord): TranscriptEvent[] => [
  { type: "unfinished_reply", usage, costUsd: costs[id] ?? 0, model: "m", at: "2026-01-01T00:00:00.000Z" },
];

it("is what the transcripts of all agents below a conversation hold, at any depth", () => {
  const records = [aRecord({ id: "ada" }), aRecord({ id: "bo", parent: "ada" }), aRecord({ id: "cy", parent: "bo" })];
  const below = (parent: string | undefined) => allUsd(spentBelow(records, { parent, transcriptOf }));
  expect([below(undefined), below("ada"), below("bo"), below("cy")]).toEqual([1.11, 0.11, 0.01, 0]);
});
