// The role of a teammate: a copy of an agent definition, made when the teammate joined. The team record keeps it, so that a restart or a
// resume needs no file.

import { z } from "zod";
import type { ChildLimits } from "../agent/child-policy.ts";
import { efforts } from "../agent/requests/thinking.ts";
import type { OperationName } from "../board/arguments.ts";
import { firstProblem } from "../board/json-file.ts";
import type { Member } from "../board/team-record.ts";
import { permissionModes } from "../permissions/policy.ts";

export const roleSchema = z.object({
  /** The definition's. */
  name: z.string(),
  prompt: z.string(),
  tools: z.array(z.string()).optional(),
  disallowedTools: z.array(z.string()),
  permissionMode: z.enum(permissionModes).optional(),
  /** A model's id; absent: the lead's. */
  model: z.string().optional(),
  effort: z.enum(efforts).optional(),
  maxTurns: z.number().optional(),
  skills: z.array(z.string()),
  mcpServers: z.array(z.string()).optional(),
});
export type Role = z.infer<typeof roleSchema>;

/** `reason`: a sentence that ends with its full stop. */
export type FoundRole = { ok: true; role: Role } | { ok: false; reason: string };

/** The role that a member was given; undefined for one without. Refused where the record does not say it whole: it would work with other rights. */
export function recordedRole({ name, definition }: Pick<Member, "name" | "definition">): FoundRole | { ok: true; role: undefined } {
  if (definition === undefined) return { ok: true, role: undefined };
  const parsed = roleSchema.safeParse(definition);
  if (parsed.success) return { ok: true, role: parsed.data };
  const what = `the role "${definition.name}" in the team record cannot be read: ${firstProblem(parsed.error)}`;
  return { ok: false, reason: `Cannot start "${name}": ${what}. Start another teammate with that role.` };
}

/**
 * What a role leaves a teammate. The task list and messages stay, whatever it names: without them nobody would hear of its work. So does
 * SubmitPlan: the person may change any teammate's mode to plan.
 */
export function roleLimits({
  tools,
  disallowedTools,
  permissionMode,
  skills,
  mcpServers,
}: Role): Pick<ChildLimits, "tools" | "disallowedTools" | "mcpServers" | "mode"> {
  return {
    ...(tools && { tools: [...tools, ...everyTeammates, ...(skills.length > 0 ? ["Skill"] : [])] }),
    disallowedTools: disallowedTools.filter((text) => !everyTeammates.includes(text.trim())),
    ...(mcpServers && { mcpServers }),
    ...(permissionMode && { mode: permissionMode }),
  };
}

const everyTeammates: string[] = ["TaskUpdate", "TaskGet", "TaskList", "SendMessage", "SubmitPlan"] satisfies (
  | OperationName
  | "SubmitPlan"
)[];
