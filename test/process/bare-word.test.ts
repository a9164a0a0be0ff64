import { expect, it } from "vitest";
import { toolNames } from "../../src/permissions/rules.ts";
import { command as tool } from "./command.ts";
import { program, temporaryHome } from "./tool.ts";

const tools = [...toolNames, "mcp__server__tool"].join(", ");
const asPrompt = (word: string) => `To send it as a prompt: node ${program} -- ${word}`;

it.each([
  ["init", `"init" is not a command of tool. All commands: node ${program} --help. ${asPrompt("init")}`],
  ["docter", `"docter" is not a command of tool. Did you mean node ${program} doctor? ${asPrompt("docter")}`],
  ["tema", `"tema" is not a command of tool. Did you mean node ${program} team? ${asPrompt("tema")}`],
  ["temas", `"temas" is not a command of tool. Did you mean node ${program} team? ${asPrompt("temas")}`],
  ["resume", `"resume" is not a command of tool. Did you mean node ${program} --resume? ${asPrompt("resume")}`],
  ["status", `"status" is not a command of tool. Did you mean node ${program} team status? ${asPrompt("status")}`],
])("tool %s is not a prompt that would cost money, even with --print", async (word, said) => {
  using home = temporaryHome();
  const refused = { code: 2, stdout: "", stderr: `tool: ${said}\n` };
  expect(await tool(home, [word])).toEqual(refused);
  expect(await tool(home, ["--print", word])).toEqual(refused);
});

it.each([
  ["status", `Did you mean node ${program} batch --list or node ${program} team status?`],
  ["list", `Did you mean node ${program} batch --list or node ${program} team list?`],
  ["resmue", `Did you mean node ${program} batch --resume`],
  ["docter", `Did you mean node ${program} doctor?`],
])("tool batch %s is no instruction that would cost a plan", async (word, said) => {
  using home = temporaryHome();
  const ran = await tool(home, ["batch", word, "--plan-only"]);
  expect({
    ...ran,
    stderr: ran.stderr.slice(0, said.length + `tool: "${word}" is not a command of node ${program} batch. `.length),
  }).toEqual({
    code: 2,
    stdout: "",
    stderr: `tool: "${word}" is not a command of node ${program} batch. ${said}`,
  });
  expect(ran.stderr).toContain(`To send it as a prompt: node ${program} batch -- ${word}\n`);
  expect((await tool(home, ["batch", "--plan-only", "--", word])).stderr).not.toContain("is not a command");
});

it("a word after -- is a prompt, and so is one that is not near any command", async () => {
  using home = temporaryHome();
  const prompts = await Promise.all([
    tool(home, ["--print", "--", "docter"]),
    tool(home, ["--print", "hello"]),
    tool(home, ["--print", "go"]),
    tool(home, ["--print", "mcp servers?"]),
  ]);
  expect(prompts.map(({ code, stderr }) => [code, stderr.slice(0, 36)])).toEqual(
    Array(4).fill([2, "tool: no key for the model provider."]),
  );
});

it("tool team suggests the command that a word may be a typo of, and how to send it anyway", async () => {
  using home = temporaryHome();
  const [slip, other] = await Promise.all([tool(home, ["team", "statsu"]), tool(home, ["team", "refactor"])]);
  expect(slip.stderr).toMatch(
    /^tool: "statsu" is not a command of node \S+bin\/tool\.js team \(create, .*\)\. Did you mean node \S+bin\/tool\.js team status\? To give a team this one word: node \S+bin\/tool\.js team -- statsu\n$/,
  );
  expect(other.stderr).toMatch(/\)\. To give a team this one word: node \S+bin\/tool\.js team -- refactor\n$/);
  expect([slip.code, other.code]).toEqual([2, 2]);
});

it.each([
  [["agent", "list"], `"agent" is not a command of tool. Did you mean node ${program} agents? ${asPrompt("agent")}`],
  [["Fix", "it"], `2 words were given where one prompt is expected. Put it in quotes: node ${program} "Fix it"`],
  [["team", "go", "now"], `2 words were given where one prompt is expected. Put it in quotes: node ${program} team "go now"`],
  [
    ["team", "statsu", "$atlas"],
    `2 words were given where one prompt is expected. Put it in quotes: node ${program} team "…". Did you mean node ${program} team status?`,
  ],
  [["batch", "Use", "pino"], `2 words were given where one prompt is expected. Put it in quotes: node ${program} batch "Use pino"`],
  [["completion", "basch"], `'basch' is not a shell. Allowed choices are bash, zsh, fish.\nSee: tool completion --help`],
  [["agents", "show"], `missing required argument 'definition'\nSee: node ${program} agents show --help`],
  [["permissions", "check", "Wriet(x)"], 'cannot check "Wriet(x)": no tool is called "Wriet". Did you mean Write?'],
  [["permissions", "check", "Paint(x)"], `cannot check "Paint(x)": no tool is called "Paint". Tools: ${tools}`],
])("tool %j says what was meant, or where to read more", async (words, said) => {
  using home = temporaryHome();
  expect(await tool(home, words)).toEqual({ code: 2, stdout: "", stderr: `tool: ${said}\n` });
});
