// What the definitions above an agent leave it: no agent has more than each of those that led to its start. From the records alone, so that it
// holds too where those above have ended and the agent is resumed.
import type { Bounds } from "../permissions/child-policy.ts";
import type { Definition } from "./definition.ts";
import type { AgentRecord } from "./record.ts";

/** What of a definition bounds those whom its session starts. */
export type BoundingDefinition = Pick<Definition, "name" | "tools" | "disallowedTools" | "permissionMode">;

/** By which a person knows an agent. */
const shownName = ({ id, name }: Pick<AgentRecord, "id" | "name">) => (name === id ? `agent ${id}` : `agent ${name} (${id})`);

export function boundsOf({ definition, worker, ...record }: AgentRecord): Bounds {
  const { tools, disallowedTools, permissionMode: mode } = definition;
  return {
    agent: shownName(record),
    disallowedTools,
    ...(tools && { tools }),
    ...(mode && { mode }),
    ...(worker && { files: worker.files }),
  };
}

/**
 * Of those above it, the nearest first; `session`: the definition that the session itself works by. The tools that a coordinator names are what
 * it uses itself: its workers change what it does not.
 */
export function boundsAbove(
  record: AgentRecord,
  { find, session }: { find: (id: string) => AgentRecord | undefined; session: BoundingDefinition | undefined },
): Bounds[] {
  const forThose = ({ tools, ...bounds }: Bounds): Bounds => (record.worker || !tools ? bounds : { tools, ...bounds });
  const parent = record.parent === undefined ? undefined : find(record.parent);
  if (parent) return [forThose(boundsOf(parent)), ...boundsAbove(parent, { find, session })];
  if (!session) return [];
  const { name, tools, disallowedTools, permissionMode: mode } = session;
  return [forThose({ agent: `the session's agent ${name}`, disallowedTools, ...(tools && { tools }), ...(mode && { mode }) })];
}
