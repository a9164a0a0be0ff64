// The hands of a sub-agent that works at a place, its own or those of the agent above it. Its worktree at home is what it leaves.
import type { LoadedSettings } from "../../settings/files.ts";
import { placeOf } from "../../subagents/isolated.ts";
import { workplaceOf } from "../../subagents/isolation.ts";
import type { AgentRecord } from "../../subagents/record.ts";
import type { Subagents } from "../../subagents/subagents.ts";
import { UsageError, type World } from "../world.ts";
import { type LastingHands, lastingHands } from "./lasting-hands.ts";
import { placeNamed } from "./place-named.ts";

export type AgentHands = Pick<LastingHands, "bringHome"> & { world: World };

/** `hands`: those of the session's agents that have some, by their ids. */
type Order = { cwd: string; settings: LoadedSettings; tree?: string; host: Pick<Subagents, "find">; hands: Map<string, AgentHands> };

/** Undefined for an agent that works where the session does. Throws UsageError if its place is none, or the hands that it would share are gone. */
export async function agentHands(world: World, record: AgentRecord, order: Order): Promise<AgentHands | undefined> {
  const { cwd, settings, tree, host, hands } = order;
  const above = workplaceOf(record, host.find);
  const name = placeOf(above?.isolation);
  if (name === undefined || !above || tree === undefined) return undefined;
  if (above.id !== record.id) {
    const shared = hands.get(above.id);
    if (!shared)
      throw new UsageError(`the hands of ${above.name} at the place "${name}" are gone. Start an agent there that does its work.`);
    return shared;
  }
  const found = placeNamed(settings.effective.places, name);
  if (!found.ok) throw new UsageError(found.reason);
  const own = lastingHands(world, { choose: ({ failed }) => (failed.length === 0 ? found.place : undefined) });
  const at = { root: tree, top: above.worktree.folder, cwd, name: world.uniqueId(), ref: `agent-${record.id}` };
  const made = { bringHome: own.bringHome, world: own.serve(world, at, { waits: true, isChild: true }) };
  hands.set(record.id, made);
  return made;
}
