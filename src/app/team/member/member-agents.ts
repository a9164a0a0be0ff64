// What lead and teammates share with solo sessions: skills, and the list of failures. A teammate also has its own agents, which end with its process.
import type { Agent } from "../../../agent/agent.ts";
import type { Failures } from "../../../agent/result/failures.ts";
import type { Lock } from "../../../board/disk.ts";
import { teamWork } from "../../../subagents/definitions/built-in.ts";
import type { Launch } from "../../../team/launch.ts";
import type { AnyTool } from "../../../tools/tool.ts";
import { holderWords } from "../../holder-words.ts";
import type { AgentsOrder } from "../../session/agents/agents-order.ts";
import { openSessionAgents, type SessionAgents } from "../../session/agents/session-agents.ts";
import { openFurtherTools } from "../../session/further-tools.ts";
import { claimSession } from "../../session/session-claim.ts";
import type { RunForked, SessionSkills } from "../../session/session-skills.ts";
import type { World } from "../../world.ts";

export type MemberAgents = {
  /** Absent at the lead, which has teammates. */
  agents: SessionAgents | undefined;
  skills: SessionSkills;
  failures: Failures;
  tools: AnyTool[];
  /** Releases the session for another process. */
  release(): void;
};

export type MemberAgentsOrder = Omit<AgentsOrder, "as" | "failures" | "furtherTools" | "preload" | "id"> & {
  launch: Launch;
  lock: Lock;
  agent: () => Agent;
};

export async function openMemberAgents(world: World, { launch, lock, agent, ...order }: MemberAgentsOrder): Promise<MemberAgents> {
  const { name, session } = launch;
  const { transcript, disk, clock, work } = order;
  const user = { name, work, agent };
  const isLead = name === "lead";
  const fork: RunForked = (forked) => agents.startSkill(forked);
  const further = { main: user, transcript, disk, clock, ...(!isLead && { fork }) };
  const { skills, failures, toolsFor } = await openFurtherTools(world, further);
  const own = toolsFor(user);
  if (isLead) return { agents: undefined, skills, failures, tools: own, release: () => {} };
  // No other process writes the records of its agents, or resumes one, while it lives.
  const claim = claimSession({ disk, lock }, transcript);
  if (!claim.ok)
    throw new Error(`Cannot start ${name}: its session ${session} is open already, in ${holderWords(claim.holder)}. End it there.`);
  const agents = await openSessionAgents(world, {
    ...order,
    as: launch.definition,
    unlisted: teamWork,
    id: session,
    failures,
    furtherTools: toolsFor,
    preload: skills.preload,
  });
  return { agents, skills, failures, tools: [...agents.tools, ...own], release: claim.release };
}
