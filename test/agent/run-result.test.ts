import { expect, it } from "vitest";
import { createRun } from "../../src/agent/run-result.ts";
import { noUsage } from "../../src/agent/usage.ts";

const at = "2026-01-01T00:00:00.000Z";

it("names with a denied call the rules that would have allowed it, where there are such", () => {
  const run = createRun();
  const denied = { type: "denied", name: "Bash", at } as const;
  run.follow({ ...denied, id: "1", subject: "npm test", reason: "Permission is missing", rules: ["Bash(npm test *)"] });
  run.follow({ ...denied, id: "2", subject: "npm ci", reason: "The rule Bash(npm ci) denies it" });
  run.follow({ type: "ended", ending: { kind: "done" }, text: "I could not.", at });
  const { ending, permission_denials } = run.result({ session: "s", model: "m", durationMs: 1, spent: { usage: noUsage, costUsd: 0 } });
  expect({ ending, permission_denials }).toEqual({
    ending: "denied",
    permission_denials: [
      { tool: "Bash", subject: "npm test", reason: "Permission is missing", rules: ["Bash(npm test *)"] },
      { tool: "Bash", subject: "npm ci", reason: "The rule Bash(npm ci) denies it" },
    ],
  });
});
