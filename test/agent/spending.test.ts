import { expect, it } from "vitest";
import type { AgentEvent } from "../../src/agent/events.ts";
import { allUsage, allUsd, knownUsd, nothingSpent, withEvent, withSpending } from "../../src/agent/spending.ts";
import { costText } from "../../src/screen/commands/cost-text.ts";

const at = "2026-01-01T00:00:00.000Z";
const usage = { input_tokens: 100, output_tokens: 10, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
const message = { role: "assistant" as const, content: [] };
const reply = (model: string, costUsd: number | null): AgentEvent => ({
  type: "reply",
  turn: 1,
  message,
  stop_reason: "end_turn",
  usage,
  costUsd,
  model,
  ms: 1,
  at,
});

const unfinished: AgentEvent = { type: "unfinished_reply", usage, costUsd: 0.02, model: "haiku", at };
const failed: AgentEvent = { type: "compaction_failed", reason: "empty", usage, costUsd: 0.01, model: "haiku", at };
const agentEnded: AgentEvent = {
  type: "agent_ended",
  agent: "a-1",
  name: "ada",
  description: "look",
  state: "completed",
  turns: 3,
  usage,
  costUsd: 5,
  model: "haiku",
  ms: 1,
  at,
};

it("counts every request, also one without a whole reply, and not again what the end of an agent repeats", () => {
  const spent = [reply("opus", 0.1), unfinished, failed, agentEnded, { type: "text", text: "Hi" } as const].reduce(withEvent, nothingSpent);
  expect([...spent]).toEqual([
    ["opus", { turns: 1, usage, thoughtTokens: 0, costUsd: 0.1 }],
    ["haiku", { turns: 0, usage: { ...usage, input_tokens: 200, output_tokens: 20 }, thoughtTokens: 0, costUsd: 0.03 }],
  ]);
  expect([allUsd(spent), allUsage(spent).input_tokens]).toEqual([0.13, 300]);
  expect(costText([], spent).split("\n")[0]).toBe("$0.13 for 1 turn, 330 tokens, 0 % of the input from the provider's cache");
});

it("reaches a budget exactly, without the digits that floating-point addition adds", () => {
  const spent = Array.from({ length: 8 }, () => reply("opus", 0.05)).reduce(withEvent, nothingSpent);
  expect(knownUsd(spent)).toBe(0.4);
  expect(knownUsd(withSpending(spent, spent))).toBe(0.8);
});

it("shows no sum if one price is not known, and still counts the others towards the budget", () => {
  const spent = [reply("opus", 0.3), reply("my-own-model", null)].reduce(withEvent, nothingSpent);
  expect([allUsd(spent), knownUsd(spent)]).toEqual([null, 0.3]);
});
