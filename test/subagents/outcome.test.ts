import { expect, it } from "vitest";
import type { Ending } from "../../src/agent/events.ts";
import { Suspension } from "../../src/agent/session/suspension.ts";
import { Halt, outcomeOf } from "../../src/subagents/outcome.ts";
import { aRecord } from "./kit.ts";

const outcome = (ending: Ending, reason?: unknown) => {
  const controller = new AbortController();
  if (reason !== undefined) controller.abort(reason);
  return outcomeOf({ ending }, { record: aRecord(), turns: 5, signal: controller.signal, command: "node bin/tool.js" });
};

it.each<[Ending, unknown, ReturnType<typeof outcome>]>([
  [{ kind: "done" }, undefined, { state: "completed" }],
  [{ kind: "fault", reason: "The provider is gone." }, undefined, { state: "failed", reason: "The provider is gone." }],
  [{ kind: "budget", limitUsd: 2, spentUsd: 2.1 }, undefined, { state: "failed", endedBy: "budget", reason: "The budget of $2 is spent." }],
  [{ kind: "aborted" }, new Halt("stopped", "You stopped it."), { state: "stopped", reason: "You stopped it." }],
  [
    { kind: "aborted" },
    new Halt("failed", "It made no progress for 15 minutes."),
    { state: "failed", reason: "It made no progress for 15 minutes." },
  ],
  [{ kind: "aborted" }, undefined, { state: "stopped", reason: "It was interrupted." }],
  [
    { kind: "aborted" },
    new Suspension("Bash", { why: "No rule allows it.", missing: ["Bash(npm publish)"] }),
    {
      state: "needs_permission",
      reason: "Bash: No rule allows it. To answer: node bin/tool.js agents resume a-1",
      missing: ["Bash(npm publish)"],
    },
  ],
  [
    { kind: "max_turns", limit: 5 },
    undefined,
    {
      state: "failed",
      endedBy: "max_turns",
      reason:
        "It reached its limit of 5 turns. Its transcript: /t/agent-a-1.jsonl. Raise maxTurns (node bin/tool.js agents resume a-1 --max-turns 10), give it more context in the prompt, or split the task.",
    },
  ],
])("outcomeOf(%j, %s)", (ending, reason, expected) => {
  expect(outcome(ending, reason)).toEqual(expected);
});
