import { expect, it } from "vitest";
import { program, temporaryHome, tool } from "./tool.ts";

it("says when to use one agent, sub-agents or a team, and how to begin each", async () => {
  using home = temporaryHome();
  const { code, stdout } = await tool(home, ["help", "modes"]);
  expect(code).toBe(0);
  for (const words of [
    "one agent",
    "1 to 3 files",
    "sub-agents",
    "2 or 3 pieces",
    "a team",
    "about 20 tasks",
    "when one piece runs for very long",
    "more context than one window holds",
    `TOOL_EXPERIMENTAL_AGENT_TEAMS=1 node ${program} team`,
  ])
    expect(stdout).toContain(words);
  expect(
    stdout
      .replaceAll(`node ${program}`, "tool")
      .split("\n")
      .filter((line) => line.length > 130),
  ).toEqual([]);
  expect((await tool(home, ["help", "modez"])).stderr).toMatch(/^tool: tool has no command "modez"\. Did you mean \S.* help modes\?\n$/);
});
