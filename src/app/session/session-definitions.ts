// The agent definitions of a session, and the one that the session itself runs with.
import type { LoadedSettings } from "../../settings/files.ts";
import { builtInAgents } from "../../subagents/definitions/built-in.ts";
import type { Definition } from "../../subagents/definitions/definition.ts";
import { type Definitions, definitionFolders, findDefinition, loadDefinitions } from "../../subagents/definitions/definitions.ts";
import type { AnyTool } from "../../tools/tool.ts";
import { nearestName } from "../../wording/nearest-name.ts";
import { UsageError, type World } from "../world.ts";

export async function sessionDefinitions({ edges, configDir }: World, settings: LoadedSettings): Promise<Definitions> {
  return loadDefinitions(await edges.definitions(), {
    folders: definitionFolders({ root: settings.root, configDir }),
    trusted: settings.trust.state === "trusted",
    builtIn: builtInAgents(settings.effective.agentModels),
  });
}

/** The definition that `--agent` names. Throws UsageError if it does not exist or a session cannot use it. */
export function definitionFor(name: string | undefined, definitions: Definitions): Definition | undefined {
  if (name === undefined) return undefined;
  const found = definitionNamed(name, definitions);
  if (!found.ok) throw new UsageError(found.reason);
  return found.definition;
}

/** The definition with that name, if a session can run with it. The reason is a sentence. */
export function definitionNamed(
  name: string,
  { list, mistakes, untrusted }: Definitions,
): { ok: true; definition: Definition } | { ok: false; reason: string } {
  const found = findDefinition(name, { list, mistakes });
  if (found && "broken" in found) return { ok: false, reason: found.broken };
  if (found?.definition.context === "fork")
    return { ok: false, reason: `a session cannot work as "${name}": a fork needs the conversation of another agent.` };
  if (found) return { ok: true, definition: found.definition };
  const names = list.map((one) => one.name);
  const near = nearestName(name, names);
  const others = mistakes.some(({ level }) => level === "error") ? " Some definitions cannot be used: tool agents validate." : "";
  const waiting = untrusted.length > 0 ? " Those of this project wait for your trust." : "";
  const meant = near ? `Did you mean "${near}"?` : `There are: ${names.join(", ")}.`;
  return { ok: false, reason: `there is no agent "${name}". ${meant}${others}${waiting}` };
}

/** The tools that a definition allows. */
export function definedTools(tools: AnyTool[], definition: Pick<Definition, "tools" | "disallowedTools"> | undefined): AnyTool[] {
  if (!definition) return tools;
  const { tools: named, disallowedTools } = definition;
  const isNamed = (name: string) => named === undefined || named.some((text) => means(text.trim().split("(")[0] ?? "", name));
  const isTaken = (name: string) => disallowedTools.some((text) => text.trim() === name || isOfServer(text.trim(), name));
  return tools.filter(({ name }) => isNamed(name) && !isTaken(name));
}

/** An entry for a server or one of its tools brings along the two that find and call them. */
function means(entry: string, name: string): boolean {
  if (entry.startsWith("mcp__")) return ["McpSearch", "McpCall"].includes(name) || name === entry || isOfServer(entry, name);
  return entry === (withBash.has(name) ? "Bash" : name);
}

const isOfServer = (entry: string, name: string) => entry.startsWith("mcp__") && name.startsWith(`${entry.replace(/__\*$/, "")}__`);

/** These tools are useless without Bash, which starts the commands. */
const withBash = new Set(["BashOutput", "KillBash"]);
