// Skill: how a model gets the instructions of a skill. What skills there are is part of its description, which stays the same for a session.
import { z } from "zod";
import { agentsPrompt } from "../subagents/agents-prompt.ts";
import type { Tool, ToolContext, ToolResult } from "../tools/tool.ts";
import type { Skill } from "./skill.ts";

const input = z.strictObject({ name: z.string(), arguments: z.string().optional() });

export type SkillToolSetup = {
  /** Those that a model may choose from, each with a description. */
  skills: readonly Skill[];
  /** What the list of them may take of every request. */
  listBytes: number;
  /** The result that the model gets. */
  use(name: string, given: string, context: ToolContext): Promise<ToolResult>;
};

export function skillTool({ skills, listBytes, use }: SkillToolSetup): Tool<z.infer<typeof input>> {
  return {
    name: "Skill",
    description: `Gives you the instructions of a skill: how a certain kind of work is done here. When a description fits, use it before you begin.\n${agentsPrompt(skills, listBytes)}`,
    input,
    aliases: { skill: "name", command: "name", args: "arguments" },
    readOnly: false,
    subject: ({ name, arguments: given = "" }) => `${name} ${given}`.trim(),
    run: ({ name, arguments: given = "" }, context) => use(name, given, context),
  };
}

/** Those of which a model is told. */
export function skillsForModel(list: readonly Skill[]): Skill[] {
  return list.filter(({ byModel, description }) => byModel && description !== "");
}
