// A skill that a person typed: whether it can be used in this folder, and the input that it becomes.
import type { Input } from "../../agent/events.ts";
import type { Skill } from "../../skills/skill.ts";
import { UsageError } from "../world.ts";

/** `text`: the whole line. `given`: what follows the name. */
export type TypedLine = { text: string; given: string };

export type Place = { cwd: string; inRepository: boolean };

/** Throws UsageError if it cannot be used. A skill that limits the agent gets its own run, because its limits apply to a whole run. */
export function typedSkill(
  { name, context, allowedTools, needsGit }: Pick<Skill, "name" | "context" | "allowedTools" | "needsGit">,
  { text, given }: TypedLine,
  { cwd, inRepository }: Place,
): Input {
  if (needsGit && !inRepository)
    throw new UsageError(`/${name} needs a git repository, and ${cwd} is not in one. Start in a repository, or make one here: git init`);
  const limits = context === "inline" && allowedTools !== undefined;
  return { source: { kind: "skill", name, arguments: given }, text, ...(limits && { ownRun: true }) };
}
