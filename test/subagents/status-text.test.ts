import { expect, it } from "vitest";
import { statusText } from "../../src/subagents/status-text.ts";
import { aRecord } from "./kit.ts";

const started = Date.parse("2026-01-02T03:04:05.000Z");

it("shows what a running agent does and how long it has taken", () => {
  const usage = { input_tokens: 100, output_tokens: 20, cache_creation_input_tokens: 3, cache_read_input_tokens: 4 };
  const record = aRecord({ state: "running", turns: 1, usage, now: "Read a.txt" });
  expect(statusText(record, started + 61_000)).toBe("a-1 (ada): running, look at a; 1 turn, 127 tokens, 61 s, now: Read a.txt");
});

it("shows the time of an ended agent up to its end, its reason, and its id once", () => {
  const record = aRecord({
    name: "a-1",
    state: "needs_permission",
    turns: 2,
    endedAt: "2026-01-02T03:04:07.000Z",
    reason: "Bash: it is asked.",
  });
  expect(statusText(record, started + 61_000)).toBe("a-1: needs permission, look at a; 2 turns, 0 tokens, 2 s. Bash: it is asked.");
});

it("shows no negative time when the clock was set back", () => {
  expect(statusText(aRecord(), started - 5_000)).toContain("0 tokens, 0 s");
});
