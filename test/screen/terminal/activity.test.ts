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
