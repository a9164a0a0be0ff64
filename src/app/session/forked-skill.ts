// A skill with "context: fork": it is the work of an agent of its own, whose report is all that the conversation gets of it.
import type { Skill } from "../../skills/skill.ts";
import { generalAgent } from "../../subagents/built-in.ts";
import type { AgentRecord } from "../../subagents/record.ts";
import type { StartOrder } from "../../subagents/subagents.ts";

/** `text`: its instructions with the arguments put in. `by`: the agent that uses it; absent: the session's own. */
export type ForkedSkill = { skill: Skill; given: string; text: string; by: AgentRecord | undefined; call: string; signal: AbortSignal };

export function skillOrder({ skill, given, text, by, call }: ForkedSkill, modelOf: (wanted: string) => string): StartOrder {
  const { name, allowedTools, model = "inherit" } = skill;
  return {
    definition: { ...generalAgent, ...(allowedTools && { tools: allowedTools }) },
    name,
    description: `/${name} ${given}`.trim(),
    prompt: text,
    model: modelOf(model),
    background: false,
    call,
    ...(by && { parent: by }),
  };
}
