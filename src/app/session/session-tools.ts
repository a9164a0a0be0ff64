// The tools of a session besides those of its work: its agents, its skills, and the list of failures. A solo session and a teammate open them alike.
import type { Failures } from "../../agent/result/failures.ts";
import type { AnyTool } from "../../tools/tool.ts";
import type { World } from "../world.ts";
import type { AgentsOrder } from "./agents/agents-order.ts";
import { openSessionAgents, type SessionAgents } from "./agents/session-agents.ts";
import { openFurtherTools, type ToolUser } from "./further-tools.ts";
import type { RunForked, SessionSkills } from "./session-skills.ts";

export type SessionTools = {
  agents: SessionAgents;
  skills: SessionSkills;
  /** The failures that its agents have recorded. */
  failures: Failures;
  tools: AnyTool[];
};

export type SessionToolsOrder = Omit<AgentsOrder, "failures" | "furtherTools" | "preload">;

/** `main`: the session's own agent. */
export async function openSessionTools(world: World, main: ToolUser, order: SessionToolsOrder): Promise<SessionTools> {
  const { transcript, disk, clock } = order;
  // A skill starts an agent and an agent gets skills, so each is made with the other; nothing is started before both are there.
  const fork: RunForked = (forked) => agents.startSkill(forked);
  const { skills, failures, toolsFor } = await openFurtherTools(world, { main, transcript, disk, clock, fork });
  const agents = await openSessionAgents(world, { ...order, failures, furtherTools: toolsFor, preload: skills.preload });
  return { agents, skills, failures, tools: [...agents.tools, ...toolsFor(main)] };
}
