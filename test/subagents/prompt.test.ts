import { expect, it } from "vitest";
import { estimateTokens } from "../../src/agent/requests/tokens.ts";
import { agentToolText, reportText } from "../../src/subagents/prompt.ts";

it("a background agent costs its parent at most 60 tokens besides its report", () => {
  const record = { id: "a-1234", name: "date-reviewer", description: "review the date parser", state: "completed" } as const;
  const around = estimateTokens(reportText(record, ""));
  expect(estimateTokens(agentToolText.startedInBackground("a-1234")) + around).toBeLessThanOrEqual(60);
});
