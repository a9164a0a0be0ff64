import { expect, it } from "vitest";
import { temporaryHome, tool } from "./tool.ts";

const asPrompt = (word: string) => `To send it as a prompt: tool -- ${word}`;

it.each([
  ["mcp", `"mcp" is not a command of tool. All commands: tool --help. ${asPrompt("mcp")}`],
  ["init", `"init" is not a command of tool. All commands: tool --help. ${asPrompt("init")}`],
  ["docter", `"docter" is not a command of tool. Did you mean tool doctor? ${asPrompt("docter")}`],
  ["tema", `"tema" is not a command of tool. Did you mean tool team? ${asPrompt("tema")}`],
  ["resume", `"resume" is not a command of tool. Did you mean tool --resume? ${asPrompt("resume")}`],
  ["status", `"status" is not a command of tool. Did you mean tool team status? ${asPrompt("status")}`],
])("tool %s is no prompt that somebody pays for, with --print neither", async (word, said) => {
  using home = temporaryHome();
  const refused = { code: 2, stdout: "", stderr: `tool: ${said}\n` };
  expect(await tool(home, [word])).toEqual(refused);
  expect(await tool(home, ["--print", word])).toEqual(refused);
});

it("a word after -- is a prompt, and so is one that is near no command", async () => {
  using home = temporaryHome();
  const prompts = await Promise.all([
    tool(home, ["--print", "--", "mcp"]),
    tool(home, ["--print", "hello"]),
    tool(home, ["--print", "go"]),
    tool(home, ["--print", "mcp servers?"]),
  ]);
  expect(prompts.map(({ code, stderr }) => [code, stderr.slice(0, 36)])).toEqual(
    Array(4).fill([2, "tool: No key for the model provider."]),
  );
});

it("tool team suggests the command that a word is a slip of, and how to send it all the same", async () => {
  using home = temporaryHome();
  const [slip, other] = await Promise.all([tool(home, ["team", "statsu"]), tool(home, ["team", "refactor"])]);
  expect(slip.stderr).toMatch(
    /^tool: "statsu" is not a command of tool team \(create, .*\)\. Did you mean tool team status\? To give a team this one word: tool team -- statsu\n$/,
  );
  expect(other.stderr).toMatch(/\)\. To give a team this one word: tool team -- refactor\n$/);
  expect([slip.code, other.code]).toEqual([2, 2]);
});
