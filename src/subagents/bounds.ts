// The limits that an agent inherits: it never has more tools or rights than each agent above it. Computed from the records alone, so the limits hold
// after the parents have ended and the agent is resumed.
import type { Bounds } from "../agent/child-policy.ts";
import type { Definition } from "./definitions/definition.ts";
import type { AgentRecord } from "./record.ts";

/** The part of a definition that limits the agents started under it. */
export type BoundingDefinition = Pick<Definition, "name" | "tools" | "disallowedTools" | "mcpServers" | "permissionMode">;

/** How messages to a person name an agent. */
const shownName = ({ id, name }: Pick<AgentRecord, "id" | "name">) => (name === id ? `agent ${id}` : `agent ${name} (${id})`);

export function boundsOf({ definition, worker, ...record }: AgentRecord): Bounds {
  const { tools, disallowedTools, mcpServers, permissionMode: mode } = definition;
  return {
    agent: shownName(record),
    disallowedTools,
    ...(mcpServers && { mcpServers }),
    ...(tools && { tools }),
    ...(mode && { mode }),
    ...(worker && { files: worker.files }),
  };
}

/**
 * The bounds of every agent above this one, nearest first, then those of `session`, the definition that the session itself runs with. A coordinator's
 * tool list does not bound its workers: workers edit files, the coordinator does not.
 */
export function boundsAbove(
  record: AgentRecord,
  { find, session }: { find: (id: string) => AgentRecord | undefined; session: BoundingDefinition | undefined },
): Bounds[] {
  const forThose = ({ tools, ...bounds }: Bounds): Bounds => (record.worker || !tools ? bounds : { tools, ...bounds });
  const parent = record.parent === undefined ? undefined : find(record.parent);
  if (parent) return [forThose(boundsOf(parent)), ...boundsAbove(parent, { find, session })];
  if (!session) return [];
  const { name, tools, disallowedTools, mcpServers, permissionMode: mode } = session;
  const own = { disallowedTools, ...(mcpServers && { mcpServers }) };
  return [forThose({ agent: `the session's agent ${name}`, ...own, ...(tools && { tools }), ...(mode && { mode }) })];
}
