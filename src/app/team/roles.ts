// The definitions that teammates may have as roles. They are read when needed, so that recent changes count.
import { modelNamed, unknownModel } from "../../agent/requests/prices.ts";
import { memberNameProblem } from "../../board/names.ts";
import type { LoadedSettings } from "../../settings/files.ts";
import { agentsPrompt } from "../../subagents/agents-prompt.ts";
import type { Definition } from "../../subagents/definitions/definition.ts";
import type { NamedTeammate } from "../../team/launch.ts";
import type { FoundRole, Role } from "../../team/role.ts";
import { definitionNamed, sessionDefinitions } from "../session/session-definitions.ts";
import { UsageError, type World } from "../world.ts";

export async function roleNamed(world: World, settings: LoadedSettings, name: string): Promise<FoundRole> {
  const found = definitionNamed(name, await sessionDefinitions(world, settings));
  if (!found.ok) return found;
  const role = roleOf(found.definition);
  const unknown = role.model === undefined ? undefined : unknownModel(role.model);
  return unknown ? { ok: false, reason: `the definition "${name}" names a model: ${unknown}` } : { ok: true, role };
}

function roleOf({ name, prompt, tools, disallowedTools, permissionMode, model, effort, maxTurns, skills, mcpServers }: Definition): Role {
  return {
    name,
    prompt,
    ...(tools && { tools: [...tools] }),
    disallowedTools: [...disallowedTools],
    permissionMode,
    ...(model !== "inherit" && { model: modelNamed(model) }),
    effort,
    maxTurns,
    skills: [...skills],
    ...(mcpServers && { mcpServers: [...mcpServers] }),
  };
}

/** One line for each, for the lead's model. */
export async function rolesPrompt(world: World, settings: LoadedSettings): Promise<string> {
  const { list } = await sessionDefinitions(world, settings);
  const usable = list.filter(({ context }) => context !== "fork");
  return agentsPrompt(usable, settings.effective.agents.promptBytes);
}

/**
 * Whom the person names, told apart: a program of theirs comes before a definition of that name, which a repository may have. Throws UsageError if one
 * of them cannot be started. `mayTrust`: the person will be asked about this project's definitions.
 */
export async function checkNamed(
  world: World,
  named: readonly NamedTeammate[],
  { settings, mayTrust }: { settings: LoadedSettings; mayTrust: boolean },
): Promise<NamedTeammate[]> {
  const programs = settings.effective.members;
  const checked: NamedTeammate[] = [];
  const taken = ["lead"];
  for (const { name, role, place } of named) {
    const problem = memberNameProblem(name, taken);
    if (problem) throw new UsageError(`${problem}. Nothing was started.`);
    taken.push(name);
    const isProgram = role !== undefined && Object.hasOwn(programs, role);
    if (isProgram && place !== undefined)
      throw new UsageError(
        `cannot start "${name}" at ${place}: a program of yours works on this machine. Leave @${place} out. Nothing was started.`,
      );
    checked.push({ name, ...(role !== undefined && { role }), ...(place !== undefined && { place }), ...(isProgram && { program: true }) });
    if (isProgram || role === undefined) continue;
    const found = await roleNamed(world, settings, role);
    if (found.ok || (mayTrust && settings.trust.state !== "trusted")) continue;
    throw new UsageError(`cannot start "${name}": ${found.reason}${programWords(Object.keys(programs))} Nothing was started.`);
  }
  return checked;
}

const programWords = (names: string[]) => (names.length > 0 ? ` Programs in your settings: ${names.join(", ")}.` : "");
