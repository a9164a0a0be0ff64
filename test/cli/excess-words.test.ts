import { describe, expect, it } from "vitest";
import { commandLine } from "./command-line.ts";

describe("a word that a command does not take", () => {
  it.each([
    ["agents lst", '"lst" is not a command of tool agents. Did you mean tool agents list?'],
    ["hooks shcema", '"shcema" is not a command of tool hooks. Did you mean tool hooks schema?'],
    ["skills all of them", '"all" is not a command of tool skills. Its commands: list, show, validate.'],
    ["permissions chekc Read(a)", '"chekc" is not a command of tool permissions. Did you mean tool permissions check?'],
    ["doctor x", 'tool doctor takes no arguments, and "x" is one too many.'],
    ["agents list x", 'tool agents list takes no arguments, and "x" is one too many.'],
    ["agents show a b", 'tool agents show takes 1 argument, and "b" is one too many.'],
  ])("tool %s: %s", async (line, message) => {
    const { tool } = commandLine();
    expect(await tool(...line.split(" "))).toEqual({ code: 2, out: "", err: `tool: ${message}\n` });
  });
});

it.each(["agents", "hooks", "skills"])("tool %s lists them, as with the word list, also as JSON", async (name) => {
  const { tool } = commandLine();
  for (const flags of [[], ["--json"]]) {
    const listed = await tool(name, ...flags);
    expect(listed).toEqual(await tool(name, "list", ...flags));
    expect(listed).toMatchObject({ code: 0, err: "" });
  }
});
