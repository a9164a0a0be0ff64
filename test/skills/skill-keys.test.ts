import { describe, expect, it } from "vitest";
import { isSkillName, type SkillKey, skillKeys } from "../../src/skills/skill-keys.ts";

const read = (key: SkillKey, value: unknown) => {
  const parsed = skillKeys[key].schema.safeParse(value);
  return parsed.success ? parsed.data : "invalid";
};

describe("skillKeys", () => {
  it.each([
    ["Read, Bash(git log:*) Grep", ["Read", "Bash(git log:*)", "Grep"]],
    ["Bash(git commit -m (a b))", ["Bash(git commit -m (a b))"]],
    ["[Read, 'Grep']", ["Read", "Grep"]],
    [
      ["Read", "Bash(npm test)"],
      ["Read", "Bash(npm test)"],
    ],
    [null, []],
    [5, "invalid"],
  ])("reads allowed-tools %o as %o", (value, tools) => {
    expect(read("allowed-tools", value)).toEqual(tools);
  });

  it("reads a hint in brackets, which YAML takes for a list, as it was written", () => {
    expect([read("argument-hint", ["issue", 5]), read("argument-hint", " [issue] "), read("argument-hint", "")]).toEqual([
      "[issue, 5]",
      "[issue]",
      "invalid",
    ]);
  });

  it("fails a skill for a key that limits it, and only warns about one that describes it", () => {
    const failing = Object.entries(skillKeys).flatMap(([name, { level }]) => (level === "error" ? [name] : []));
    expect(failing).toEqual(["allowed-tools", "disable-model-invocation", "user-invocable"]);
  });
});

describe("isSkillName()", () => {
  it.each([
    ["fix-issue", true],
    ["größe:2.1_a", true],
    ["two words", false],
    ["a/b", false],
    ["-a", false],
    ["", false],
    ["x".repeat(65), false],
  ])("of %o is %o", (name, is) => {
    expect(isSkillName(name)).toBe(is);
  });
});
