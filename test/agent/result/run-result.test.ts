import { expect, it } from "vitest";
import { createRun } from "../../../src/agent/result/run-result.ts";
import { noUsage } from "../../../src/agent/usage.ts";

const at = "2026-01-01T00:00:00.000Z";
const end = { session: "s", model: "m", durationMs: 1, spent: { usage: noUsage, costUsd: 0 }, others: [] };

it("names with a denied call its agent, and the rules that would have allowed it, where there are such", () => {
  const run = createRun("tool");
  const denied = { type: "denied", name: "Bash", at } as const;
  run.follow({ ...denied, id: "1", subject: "npm test", reason: "Permission is missing", rules: ["Bash(npm test *)"] });
  run.follow({ ...denied, id: "2", subject: "npm ci", reason: "The rule Bash(npm ci) denies it" });
  run.follow({ type: "ended", ending: { kind: "done" }, text: "I could not.", at });
  const { ending, permission_denials } = run.result(end);
  expect({ ending, permission_denials }).toEqual({
    ending: "denied",
    permission_denials: [
      { agent: "tool", tool: "Bash", subject: "npm test", reason: "Permission is missing", rules: ["Bash(npm test *)"] },
      { agent: "tool", tool: "Bash", subject: "npm ci", reason: "The rule Bash(npm ci) denies it" },
    ],
  });
});

it("is interrupted by a signal that comes after the agent was done", () => {
  const run = createRun("tool");
  run.follow({ type: "ended", ending: { kind: "done" }, text: "Started.", at });
  run.interrupt();
  expect(run.result(end)).toMatchObject({ ending: "aborted", exit_code: 130, result: "Started.", reason: "Interrupted." });
});

it("counts what others lacked in its outcome", () => {
  const run = createRun("tool");
  run.follow({ type: "ended", ending: { kind: "done" }, text: "Done.", at });
  const others = [{ kind: "failed" as const, agent: "ada", item: "look", reason: "It crashed." }];
  expect(run.result({ ...end, others })).toMatchObject({
    ending: "fault",
    exit_code: 1,
    reason: "ada: It crashed.",
    failures: [{ item: "look", error: "It crashed.", agent: "ada" }],
  });
});
