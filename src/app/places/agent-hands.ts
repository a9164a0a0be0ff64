// The hands of a sub-agent that works at a place. Its worktree at home is what it leaves.
import type { LoadedSettings } from "../../settings/files.ts";
import { placeOf } from "../../subagents/isolated.ts";
import { workplaceOf } from "../../subagents/isolation.ts";
import type { AgentRecord } from "../../subagents/record.ts";
import type { Subagents } from "../../subagents/subagents.ts";
import { UsageError, type World } from "../world.ts";
import { type LastingHands, lastingHands, noAgents } from "./lasting-hands.ts";
import { placeNamed } from "./place-named.ts";

export type AgentHands = Pick<LastingHands, "bringHome" | "cwd"> & { world: World };

type Order = { cwd: string; settings: LoadedSettings; tree?: string; host: Pick<Subagents, "find"> };

/** Undefined for an agent that works on this machine. Throws UsageError if it works in the copy of another one's place, or its place is none. */
export async function agentHands(world: World, record: AgentRecord, { cwd, settings, tree, host }: Order): Promise<AgentHands | undefined> {
  const above = workplaceOf(record, host.find);
  if (above && above.id !== record.id && placeOf(above.isolation) !== undefined) throw new UsageError(noAgents);
  const name = placeOf(record.isolation);
  if (name === undefined || !above || tree === undefined) return undefined;
  const found = placeNamed(settings.effective.places, name);
  if (!found.ok) throw new UsageError(found.reason);
  const hands = lastingHands(world, { choose: ({ failed }) => (failed.length === 0 ? found.place : undefined) });
  const at = { root: tree, top: above.worktree.folder, cwd, name: world.uniqueId(), ref: `agent-${record.id}` };
  return { bringHome: hands.bringHome, cwd: hands.cwd, world: hands.serve(world, at, { waits: true, isChild: true }) };
}
