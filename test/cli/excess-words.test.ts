import { describe, expect, it } from "vitest";
import { commandLine } from "./command-line.ts";

describe("a word that a command does not take", () => {
  it.each([
    ["agents lst", '"lst" is not a command of tool agents. Did you mean tool agents list?'],
    ["hooks shcema", '"shcema" is not a command of tool hooks. Did you mean tool hooks schema?'],
    ["skills all of them", '"all" is not a command of tool skills. Its commands: list, show, validate.'],
    ["permissions chekc Read(a)", '"chekc" is not a command of tool permissions. Did you mean tool permissions check?'],
    ["config model opus", '"model" is not a command of tool config. Did you mean tool config set model opus?'],
    ["config gte model", '"gte" is not a command of tool config. Did you mean tool config get?'],
    [
      "permissions deny Read(a)",
      '"deny" is not a command of tool permissions. Did you mean tool permissions add --kind deny or tool permissions remove --kind deny?',
    ],
    [
      "permissions add Read(a) deny",
      'tool permissions add takes 1 argument, and "deny" is one too many. Did you mean tool permissions add --kind deny?',
    ],
    ["mcp files -- x y", '"files" is not a command of tool mcp. Did you mean tool mcp add?'],
    ["doctor x", 'tool doctor takes no arguments, and "x" is one too many.'],
    ["agents list x", 'tool agents list takes no arguments, and "x" is one too many.'],
    ["agents show a b", 'tool agents show takes 1 argument, and "b" is one too many.'],
  ])("tool %s: %s", async (line, message) => {
    const { tool } = commandLine();
    expect(await tool(...line.split(" "))).toEqual({ code: 2, out: "", err: `tool: ${message}\n` });
  });
});

it.each([
  ["permissions add --deny Read(a)", "unknown option '--deny'. Did you mean tool permissions add --kind deny?"],
  ["mcp add a --project -- x", "unknown option '--project'. Did you mean tool mcp add --scope project?"],
  ["config set model opus --scope project", "unknown option '--scope'. Did you mean --project?"],
  ["secrets src", '"src" is not a command of tool secrets. Its commands: scan, install-hook, uninstall-hook.'],
])("tool %s: %s", async (line, message) => {
  const { tool } = commandLine();
  const { code, err } = await tool(...line.split(" "));
  expect([code, err.split("\n")[0]]).toEqual([2, `tool: ${message}`]);
});

it.each(["agents", "hooks", "skills"])("tool %s lists them, as with the word list, also as JSON", async (name) => {
  const { tool } = commandLine();
  for (const flags of [[], ["--json"]]) {
    const listed = await tool(name, ...flags);
    expect(listed).toEqual(await tool(name, "list", ...flags));
    expect(listed).toMatchObject({ code: 0, err: "" });
  }
});
