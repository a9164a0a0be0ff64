// What lead and teammates share with solo sessions: skills, and the list of failures. A teammate also has its own agents, which end with its process.
import type { Agent } from "../../agent/agent.ts";
import type { Failures } from "../../agent/failures.ts";
import type { Lock } from "../../board/disk.ts";
import { teamWork } from "../../subagents/built-in.ts";
import type { Launch } from "../../team/launch.ts";
import type { AnyTool } from "../../tools/tool.ts";
import { holderWords } from "../holder-words.ts";
import { openFurtherTools } from "../session/further-tools.ts";
import { type AgentsOrder, openSessionAgents, type SessionAgents } from "../session/session-agents.ts";
import type { RunForked, SessionSkills } from "../session/session-skills.ts";
import type { World } from "../world.ts";

export type MemberAgents = {
  /** Absent at the lead, which has teammates. */
  agents: SessionAgents | undefined;
  skills: SessionSkills;
  failures: Failures;
  tools: AnyTool[];
  /** Releases the session for another process. */
  release(): void;
};

export type MemberAgentsOrder = Omit<AgentsOrder, "as" | "failures" | "furtherTools" | "preload" | "budgetUsd" | "maxTurns" | "id"> & {
  launch: Launch;
  lock: Lock;
  agent: () => Agent;
};

export async function openMemberAgents(world: World, { launch, lock, agent, ...order }: MemberAgentsOrder): Promise<MemberAgents> {
  const { name, session, options } = launch;
  const { transcript, disk, clock, work } = order;
  const user = { name, work, agent };
  const isLead = name === "lead";
  const fork: RunForked = (forked) => agents.startSkill(forked);
  const further = { main: user, transcript, disk, clock, ...(!isLead && { fork }) };
  const { skills, failures, toolsFor } = await openFurtherTools(world, further);
  const own = toolsFor(user);
  if (isLead) return { agents: undefined, skills, failures, tools: own, release: () => {} };
  const claim = claimSession(launch, { disk, lock, transcript });
  const { maxTurns, budgetUsd } = options;
  const agents = await openSessionAgents(world, {
    ...order,
    as: launch.definition,
    unlisted: teamWork,
    id: session,
    maxTurns,
    budgetUsd,
    failures,
    furtherTools: toolsFor,
    preload: skills.preload,
  });
  return { agents, skills, failures, tools: [...agents.tools, ...own], release: claim.release };
}

/** Prevents other processes from writing the records of its agents, or resuming one, while it lives. */
function claimSession(
  { name, session }: Launch,
  { disk, lock, transcript }: Pick<MemberAgentsOrder, "disk" | "lock" | "transcript">,
): { release(): void } {
  const folder = `${transcript.slice(0, -".jsonl".length)}/claim`;
  disk.makeFolder(folder);
  const claim = lock.claimForLife(folder);
  if (!claim.ok)
    throw new Error(`Cannot start ${name}: its session ${session} is open already, in ${holderWords(claim.holder)}. End it there.`);
  return claim;
}
