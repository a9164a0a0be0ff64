import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../../src/agent/events.ts";
import { createStyle } from "../../../src/screen/style.ts";
import { createActivity } from "../../../src/screen/terminal/activity.ts";

const style = createStyle({ NO_COLOR: "1", TERM: "dumb" }, () => []);

/** The activity shown after each of these events, a second apart. */
function shown(...events: AgentEvent[]): string[] {
  let nowMs = 0;
  const activity = createActivity({ style, now: () => nowMs });
  for (const event of events) {
    activity.apply(event);
    nowMs += 1_000;
  }
  return activity.lines();
}

describe("what an agent does now", () => {
  it("is a command with its description, on one line", () => {
    const call = {
      type: "tool_started",
      id: "1",
      name: "Bash",
      subject: "npm run e2e",
      purpose: "Run the\u001b[2J end-to-end tests",
      at: "",
    } as const;
    expect(shown(call)).toEqual([expect.stringMatching(/^ {2}\S+ Bash npm run e2e {2}Run the.*end-to-end tests 1s$/)]);
    expect(shown(call).join("")).not.toContain("\u001b");
  });

  it("is a file that is being written, with the amount so far", () => {
    const request: AgentEvent = { type: "request", turn: 1, retryCount: 0, at: "" };
    const piece = (text: string, begins = false): AgentEvent => ({ type: "call_text", name: "Write", text, begins });
    const begun = piece('{"path":"src/b', true);
    expect([...shown(request, begun), ...shown(request, begun, piece(`ig.ts","content":"${"x".repeat(4_000)}`))]).toEqual([
      expect.stringMatching(/^ {2}\S+ Write {2}~4 tokens {2}2s$/),
      expect.stringMatching(/^ {2}\S+ Write src\/big\.ts {2}~1\.0k tokens {2}3s$/),
    ]);
  });

  it("is a wait with its attempt and the limit", () => {
    expect(shown({ type: "retry", reason: "The provider is overloaded.", waitMs: 9_000, retryCount: 2, at: "" })).toEqual([
      "  ! waiting 8s, attempt 3 of 10: the provider is overloaded",
    ]);
  });

  it("is thinking, with the amount so far, until there is text", () => {
    const request: AgentEvent = { type: "request", turn: 1, retryCount: 0, at: "" };
    const thought: AgentEvent = { type: "thought", text: "x".repeat(400) };
    expect([...shown(request), ...shown(request, thought), ...shown(request, thought, { type: "text", text: "x".repeat(400) })]).toEqual([
      expect.stringMatching(/thinking 1s$/),
      expect.stringMatching(/thinking 2s {2}~100 tokens$/),
      expect.stringMatching(/writing 3s {2}~200 tokens$/),
    ]);
  });
});
