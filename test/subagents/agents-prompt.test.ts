import { expect, it } from "vitest";
import { agentsPrompt } from "../../src/subagents/agents-prompt.ts";

const agents = (count: number, description = (n: number) => `Does ${"much ".repeat(n)}`) =>
  Array.from({ length: count }, (_, n) => ({ name: `agent-${n}`, description: description(n) }));

it("has one line for each agent, and none for one without a description", () => {
  expect(agentsPrompt([...agents(2), { name: "silent", description: "" }], 1_500)).toBe("- agent-0: Does\n- agent-1: Does much");
  expect(agentsPrompt([], 1_500)).toBe("");
});

it("stays within its bytes, and counts the agents that did not fit", () => {
  const text = agentsPrompt(agents(40), 1_500);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_500);
  const lines = text.split("\n");
  expect(lines.at(-1)).toBe(`- and ${40 - (lines.length - 1)} more; a wrong name is answered with the nearest ones`);
});

it("puts a description on one line and cuts a long one", () => {
  expect(
    agentsPrompt(
      agents(1, () => "Use it.\nOften.\\nAlways."),
      1_500,
    ),
  ).toBe("- agent-0: Use it. Often. Always.");
  expect(
    agentsPrompt(
      agents(1, () => "x".repeat(161)),
      1_500,
    ),
  ).toBe(`- agent-0: ${"x".repeat(160)}…`);
});
