// Skills that a person has typed: when the agent takes the line in, the instructions of the skill take its place.
import type { Agent } from "../agent.ts";
import type { Input, InputSource } from "../events.ts";

export type SkillInput = Input & { source: Extract<InputSource, { kind: "skill" }> };

/** One after the other, since the commands of the one may change what the next one reads. */
export async function withSkills(agent: Agent, inputs: Input[], signal: AbortSignal): Promise<Input[]> {
  const all: Input[] = [];
  for (const input of inputs) {
    const { typed } = input;
    const used = isSkill(input) && agent.useSkill ? await agent.useSkill(input, signal) : input;
    all.push({ ...used, ...(typed !== undefined && { typed }) });
  }
  return all;
}

function isSkill(input: Input): input is SkillInput {
  return input.source.kind === "skill";
}
