// The tools of every agent of a session apart from its work and other agents: skills, and the list of failures.
import type { Agent } from "../../agent/agent.ts";
import type { Clock } from "../../agent/ports/clock.ts";
import { type Failures, failuresPath, openFailures, recordFailureTool } from "../../agent/result/failures.ts";
import type { Workspace } from "../../agent/workspace.ts";
import type { PatientDisk } from "../../board/disk.ts";
import type { AgentRecord } from "../../subagents/record.ts";
import type { AnyTool } from "../../tools/tool.ts";
import type { World } from "../world.ts";
import { openSessionSkills, type RunForked, type SessionSkills } from "./session-skills.ts";

/** The agent that uses the tools; it exists when a tool is called. `record`: present for a sub-agent. */
export type ToolUser = { name: string; work: Workspace; agent: () => Agent; record?: AgentRecord };

export type FurtherTools = { skills: SessionSkills; failures: Failures; toolsFor(user: ToolUser): AnyTool[] };

export type FurtherOrder = { main: ToolUser; transcript: string; disk: PatientDisk; clock: Clock; fork?: RunForked };

export async function openFurtherTools(world: World, { main, transcript, disk, clock, fork }: FurtherOrder): Promise<FurtherTools> {
  const skills = await openSessionSkills(world, main, fork);
  const failures = openFailures(disk, failuresPath(transcript));
  const recording = { failures, now: () => clock.now(), redacted: main.work.redacted, written: disk.written };
  return {
    skills,
    failures,
    toolsFor: (user) => [recordFailureTool({ ...recording, agent: user.name }), ...skills.toolsFor(user)],
  };
}
