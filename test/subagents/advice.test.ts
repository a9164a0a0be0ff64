import { expect, it } from "vitest";
import { createAgentAdvice } from "../../src/subagents/advice.ts";

const event = { type: "request" } as const;

it("advises above three agents and when one compacts, once each", () => {
  const advise = createAgentAdvice("tool help modes");
  expect(advise({ agent: "a", atWork: 3, event })).toBeUndefined();
  expect(advise({ agent: "d", atWork: 4, event })).toMatch(/^4 agents are running. At most 3 are recommended/);
  expect(advise({ agent: "e", atWork: 5, event })).toBeUndefined();
  expect(advise({ agent: "a", atWork: 1, event: { type: "compacted" } })).toMatch(
    /^Agent a had to shorten its conversation\. .* suits a team/,
  );
  expect(advise({ agent: "b", atWork: 1, event: { type: "compacted" } })).toBeUndefined();
});
