import { expect, it } from "vitest";
import { forkResults } from "../../src/subagents/fork.ts";
import { agentOf, call, modelOf, replied } from "../agent/agent-kit.ts";
import { aRecord } from "./kit.ts";

it("answers every call of the parent's last reply, and puts the fork's prompt into its own", () => {
  const { agent } = agentOf(modelOf([]));
  const { message, usage, model } = replied([call("toolu_0", "Read"), call("toolu_1", "Agent"), call("toolu_2", "Agent")]);
  agent.emit({ type: "reply", turn: 1, message, stop_reason: "tool_use", usage, model, costUsd: 0, ms: 1, at: "" });
  const results = forkResults(agent, aRecord({ name: "ada", prompt: "Look at a.txt.", call: "toolu_1" }));
  const sibling = "This call is your parent's, and it reads the result. You do not.";
  expect(results.map((event) => (event.type === "tool_ended" ? [event.id, event.name, event.text] : []))).toEqual([
    ["toolu_0", "Read", sibling],
    ["toolu_1", "Agent", expect.stringMatching(/^You are now ada, a fork of the agent above: .*\n\nLook at a\.txt\.$/)],
    ["toolu_2", "Agent", sibling],
  ]);
  for (const event of results) agent.emit(event);
  expect(agent.history.pendingCalls()).toEqual([]);
});
