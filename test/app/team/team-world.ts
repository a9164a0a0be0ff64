// A team in memory: its files under /home/me/.tool/teams, and the launches of its members.
import { openBoard } from "../../../src/board/board.ts";
import { createTeam, type NewTeam } from "../../../src/board/create-team.ts";
import type { Launch } from "../../../src/team/launch.ts";
import { modelOf } from "../../agent/agent-kit.ts";
import { type MemoryWorkSetup, memoryWork } from "../memory-workspace.ts";
import { type MemoryWorldSetup, memoryWorld } from "../memory-world.ts";

export const teamsRoot = "/home/me/.tool/teams";

export type TeamWorldSetup = MemoryWorldSetup & { outcomes?: Parameters<typeof modelOf>[0]; workspace?: MemoryWorkSetup };

/** A world with models and workspaces, and a function that creates teams in it. */
export function teamWorld({ outcomes = [], workspace, edges, ...setup }: TeamWorldSetup = {}) {
  const work = memoryWork(workspace);
  const model = modelOf(outcomes);
  const memory = memoryWorld({ ...setup, edges: { model: async () => model, work: work.open, ...edges } });
  const ports = { disk: memory.disk, lock: memory.lock, clock: memory.clock };
  return {
    ...memory,
    work,
    model,
    /** The members are lead, ann and bo. */
    team(name = "atlas", more: Partial<NewTeam> = {}) {
      const created = createTeam(ports, `${teamsRoot}/${name}`, { name, cwd: "/repo", members: ["lead", "ann", "bo"], ...more });
      if (!created.ok) throw new Error(created.reason);
      return openBoard(ports, `${teamsRoot}/${name}`);
    },
  };
}

export function aLaunch(name: string, change: Partial<Launch> = {}): Launch {
  return {
    version: 1,
    role: name === "lead" ? "lead" : "teammate",
    team: "atlas",
    name,
    session: `session-${name}`,
    cwd: "/repo",
    configDir: "/home/me/.tool",
    nonce: `nonce-${name}`,
    managedSettings: [],
    env: { HOME: "/home/me" },
    ...change,
    options: { attended: false, allow: [], deny: [], leadGraceMs: 5_000, ...change.options },
  };
}
