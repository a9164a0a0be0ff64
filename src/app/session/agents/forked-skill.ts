// A skill with "context: fork": a separate agent does the work, and only its report enters the conversation.
import type { Skill } from "../../../skills/skill.ts";
import { generalAgent } from "../../../subagents/definitions/built-in.ts";
import type { AgentRecord } from "../../../subagents/record.ts";
import type { StartOrder } from "../../../subagents/subagents.ts";

/** `text`: its instructions with the arguments filled in. `by`: the agent that uses it; absent: the session's own. */
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
