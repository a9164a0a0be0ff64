// Skill: the tool that gives a model the instructions of a skill. Its description lists the skills and does not change during a session.
import { z } from "zod";
import { agentsPrompt } from "../subagents/agents-prompt.ts";
import type { Tool, ToolContext, ToolResult } from "../tools/tool.ts";
import type { Skill } from "./skill.ts";

const input = z.strictObject({ name: z.string(), arguments: z.string().optional() });

export type SkillToolSetup = {
  /** The skills that a model may use, each with a description. */
  skills: readonly Skill[];
  /** The most bytes that the list may take in each request. */
  listBytes: number;
  /** Returns the tool result. */
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

/** The skills that the tool description lists. */
export function skillsForModel(list: readonly Skill[]): Skill[] {
  return list.filter(({ byModel, description }) => byModel && description !== "");
}
