// Commands of a team that name none, in a folder that has none.
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryHome, tool } from "./tool.ts";

const acting = [
  ["send", "ann", "please hurry"],
  ["inbox", "ann"],
  ["task", "create", "--title", "Parse dates"],
  ["task", "update", "task-1", "--status", "in_progress", "--as", "ann"],
  ["task", "restore"],
  ["answer", "ann-x7k2p", "--deny"],
  ["exec", "--as", "ann"],
  ["mcp", "--as", "ann"],
];

it("those that act refuse and say where there are teams; those that look say whose team they show", async () => {
  using home = temporaryHome();
  const folders = ["work", "other"].map((name) => join(home.config, name));
  const [work = "", other = ""] = folders;
  for (const folder of folders) mkdirSync(folder);
  await tool({ ...home, cwd: work }, ["team", "create", "relay", "--members", "lead,ann"]);
  await tool({ ...home, cwd: work }, ["team", "task", "create", "--title", "Write the notes"]);
  const there = { ...home, cwd: other };
  const refused = await Promise.all(acting.map(async (args) => ({ args, ...(await tool(there, ["team", ...args])) })));
  const stderr = `tool: this folder has no team. Name one with --team. None of them is running: relay in ${work}.\n`;
  expect(refused).toEqual(acting.map((args) => ({ args, code: 2, stdout: "", stderr })));
  expect(readdirSync(join(home.config, "teams/relay/mailbox/ann/new"))).toEqual([]);

  const looking = [["status"], ["tasks"], ["task", "get", "task-1"], ["log"], ["report"], ["answer"]];
  const seen = await Promise.all(looking.map(async (args) => ({ args, ...(await tool(there, ["team", ...args])) })));
  const said = `tool: this folder has no team. This is team relay, which is not running, of ${work}.\n`;
  expect(seen.map(({ args, code, stderr: told }) => ({ args, code, told }))).toEqual(
    looking.map((args) => ({ args, code: 0, told: said })),
  );
  expect((await tool(there, ["team", "stop"])).stdout).toBe("Nothing to stop: no team is running.\n");
  expect(await tool(there, ["team", "send", "ann", "please hurry", "--team", "relay"])).toEqual({
    code: 0,
    stdout: "Sent to ann.\n",
    stderr: "",
  });
});
