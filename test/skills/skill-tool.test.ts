import { expect, it } from "vitest";
import { builtInSkills } from "../../src/skills/built-in.ts";
import { skillsForModel, skillTool } from "../../src/skills/skill-tool.ts";
import { done } from "../../src/tools/answer.ts";
import { readArguments } from "../../src/tools/arguments.ts";

const [base] = builtInSkills;
const skills = [
  { ...base!, name: "style", description: "House style", byModel: true },
  { ...base!, name: "deploy", description: "Deploys", byModel: false },
  { ...base!, name: "silent", description: "", byModel: true },
];

const tool = skillTool({
  skills: skillsForModel(skills),
  listBytes: 500,
  use: async (name, given) => done(`used ${name} with "${given}"`, name),
});

it("lists only skills that a model may use and that have a description", () => {
  expect(tool.description.split("\n").slice(1)).toEqual(["- style: House style"]);
});

it("passes on the name and the arguments, also under the names that other products use", async () => {
  const read = readArguments(tool, { command: "style", args: "for CSS" });
  if (!read.ok) throw new Error(read.reason);
  const input = read.input as { name: string; arguments?: string };
  expect(tool.subject(input)).toBe("style for CSS");
  const context = { signal: new AbortController().signal };
  expect((await tool.run(input, context)).text).toBe('used style with "for CSS"');
  expect((await tool.run({ name: "style" }, context)).text).toBe('used style with ""');
});
