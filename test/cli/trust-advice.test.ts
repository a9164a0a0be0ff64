// What the lists of skills, agents, servers and hooks advise about what waits for trust.
import { expect, it } from "vitest";
import { commandLine } from "./command-line.ts";

const brought = {
  ".tool/settings.json": JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: "command", command: "true" }] }] } }),
  ".mcp.json": JSON.stringify({ mcpServers: { a: { command: "false" } } }),
  ".tool/skills/x/SKILL.md": "---\nname: x\ndescription: y\n---\nz\n",
  ".tool/agents/y.md": "---\nname: y\ndescription: y\n---\nz\n",
};
const lists = ["skills", "agents", "mcp", "hooks"];

it.each(lists)("tool %s list advises --trust where it can be given", async (list) => {
  expect((await commandLine(brought).tool(list, "list")).out).toMatch(/ trust .*: --trust, or answer in a session\.$/m);
});

it.each(lists)("tool %s list says that too much cannot be trusted", async (list) => {
  const { tool } = commandLine({ ...brought, [`.claude/skills/${"d/".repeat(17)}f`]: "" });
  const { out } = await tool(list, "list");
  expect(out).toMatch(/ trust .*: it cannot be trusted, because it brings more than one answer can cover\.$/m);
  expect(out).not.toContain("--trust");
});
