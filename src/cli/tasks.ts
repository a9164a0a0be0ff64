// `tool tasks`: the agents that work in this folder beside whoever asks.
import { Command } from "commander";
import type { Finish, World } from "../app/world.ts";
import type { AgentAtWork } from "../team/agents-at-work.ts";

export function tasksCommand(world: World, finish: Finish): Command {
  return new Command("tasks")
    .description("List the agents that work in this folder: what each is at, for how long, at what cost of tokens.")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  tool tasks")
    .action(async ({ json }: { json?: boolean }) => {
      const agents = await agentsHere(world);
      if (json) world.stdout.write(`${JSON.stringify({ ok: true, agents })}\n`);
      else world.stdout.write(`${await tableText(world, agents)}\n`);
      finish(0);
    });
}

/** Of the teams that run here. One that cannot be read is left to `tool team list`, which says so. */
async function agentsHere(world: World): Promise<(AgentAtWork & { team: string })[]> {
  const { allTeams } = await import("../app/team/open-team.ts");
  const { agentsAtWork, teamAtWork } = await import("../team/agents-at-work.ts");
  const processes = await world.edges.processes();
  return (await allTeams(world)).flatMap(({ board, ports: { disk, clock } }) => {
    const read = teamAtWork({ board, disk, processes });
    if (!read.ok || read.team.record.cwd !== world.cwd) return [];
    const { state } = read.team.status;
    if (state !== "running" && state !== "lead_gone") return [];
    return agentsAtWork(read.team, clock.now()).map((agent) => ({ team: board.name, ...agent }));
  });
}

async function tableText(world: World, agents: AgentAtWork[]): Promise<string> {
  const { agentTable } = await import("../screen/agent-table.ts");
  const { styleOf } = await import("../app/print-reply.ts");
  return agents.length === 0
    ? "No agents work in this folder."
    : agentTable(
        agents,
        styleOf(
          world,
          agents.map(({ name }) => name),
        ),
      );
}
