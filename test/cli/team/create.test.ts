// What is refused when a team is created without processes.
import { expect, it } from "vitest";
import { commandLine } from "../command-line.ts";

it("tool team create names everything that is wrong: the name, and missing members", async () => {
  const { tool } = commandLine({}, { TOOL_EXPERIMENTAL_AGENT_TEAMS: "1" });
  const name = 'cannot name a team "my team!": a name is 1 to 40 of a-z, 0-9 and -, starting with a letter or a digit';
  const members = "Name the members, as in --members lead,ann,bo";
  const refused = (said: string) => ({ code: 2, out: "", err: `tool: ${said}\n` });
  expect(await tool("team", "create", "my team!")).toEqual(refused(`${name}.\n      ${members}`));
  expect(await tool("team", "create", "atlas")).toEqual(refused(members));
  expect(await tool("team", "create", "my team!", "--members", "ann")).toEqual(refused(name));
});
