// What lead and teammates share with solo sessions: skills, and the list of failures. A teammate also has its own agents, which end with its process.
import type { Agent } from "../../../agent/agent.ts";
import type { Lock } from "../../../board/disk.ts";
import { teamWork } from "../../../subagents/definitions/built-in.ts";
import type { Launch } from "../../../team/launch.ts";
import { holderWords } from "../../holder-words.ts";
import { openFurtherTools } from "../../session/further-tools.ts";
import { claimSession } from "../../session/session-claim.ts";
import { openSessionTools, type SessionTools, type SessionToolsOrder } from "../../session/session-tools.ts";
import type { World } from "../../world.ts";

export type MemberAgents = Omit<SessionTools, "agents"> & {
  /** Absent at the lead, which has teammates. */
  agents: SessionTools["agents"] | undefined;
  /** Releases the session for another process. */
  release(): void;
};

export type MemberAgentsOrder = Omit<SessionToolsOrder, "as" | "id"> & {
  launch: Launch;
  lock: Lock;
  agent: () => Agent;
};

export async function openMemberAgents(world: World, { launch, lock, agent, ...order }: MemberAgentsOrder): Promise<MemberAgents> {
  const { name, session } = launch;
  const { transcript, disk, clock, work } = order;
  const main = { name, work, agent };
  if (name === "lead") {
    const { skills, failures, toolsFor } = await openFurtherTools(world, { main, transcript, disk, clock });
    return { agents: undefined, skills, failures, tools: toolsFor(main), release: () => {} };
  }
  // No other process writes the records of its agents, or resumes one, while it lives.
  const claim = claimSession({ disk, lock }, transcript);
  if (!claim.ok)
    throw new Error(`Cannot start ${name}: its session ${session} is open already, in ${holderWords(claim.holder)}. End it there.`);
  const own = await openSessionTools(world, main, { ...order, as: launch.definition, unlisted: teamWork, id: session });
  return { ...own, release: claim.release };
}
