import { describe, expect, it } from "vitest";
import { type DefinitionKey, definitionKeys } from "../../../src/subagents/definitions/definition-keys.ts";

const read = (key: DefinitionKey, value: unknown) => {
  const parsed = definitionKeys[key].schema.safeParse(value);
  return parsed.success ? parsed.data : "invalid";
};

describe("definitionKeys", () => {
  it.each([
    ["Read, Bash(git log, git show), Grep", ["Read", "Bash(git log, git show)", "Grep"]],
    ["- Read\n- Grep", ["Read", "Grep"]],
    ["[Read, 'Grep']", ["Read", "Grep"]],
    ["Agent(explorer, general)", ["Agent(explorer)", "Agent(general)"]],
    [["Read", " "], ["Read"]],
    [null, []],
    [7, "invalid"],
  ])("reads tools %o as %o", (value, tools) => {
    expect(read("tools", value)).toEqual(tools);
  });

  it.each<[DefinitionKey, unknown, unknown]>([
    ["maxTurns", "12", 12],
    ["maxTurns", 0, "invalid"],
    ["maxTurns", "10001", "invalid"],
    ["background", "true", true],
    ["background", "yes", "invalid"],
    ["name", " ada ", "ada"],
    ["name", "a/b", "invalid"],
    ["model", "two words", "invalid"],
    ["isolation", "container", "invalid"],
  ])("reads %s %o as %o", (key, value, meant) => {
    expect(read(key, value)).toEqual(meant);
  });

  it("fails an agent for every key that limits it", () => {
    const failing = Object.entries(definitionKeys).flatMap(([name, { level }]) => (level === "error" ? [name] : []));
    expect(failing).toEqual([
      "name",
      "tools",
      "disallowedTools",
      "maxTurns",
      "permissionMode",
      "background",
      "isolation",
      "context",
      "mcpServers",
    ]);
  });
});
