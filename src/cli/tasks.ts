// `tool tasks`: the agents and background commands that run in this folder.
import { Command } from "commander";
import type { BatchAtWork } from "../app/batch/known-batches.ts";
import type { CommandHere } from "../app/session/background-commands.ts";
import type { Finish, World } from "../app/world.ts";
import type { AgentRecord } from "../subagents/record.ts";
import type { AgentAtWork } from "../team/agents-at-work.ts";

export function tasksCommand(world: World, finish: Finish): Command {
  return new Command("tasks")
    .description(
      "List the agents at work in this folder: what each is doing, for how long and with how many tokens; and their background commands.",
    )
    .option("--all", "include agents that have completed or been stopped")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  tool tasks")
    .action(async ({ json, all }: { json?: boolean; all?: boolean }) => {
      const agents = await teammatesHere(world);
      const started = await startedHere(world, all === true);
      const commands = await commandsOf(world, all === true);
      const { batchesAtWork } = await import("../app/batch/known-batches.ts");
      const batches = await batchesAtWork(world);
      if (json) world.stdout.write(`${JSON.stringify({ ok: true, agents, ...(await jsonOf(world, { started, commands, batches })) })}\n`);
      else {
        const { fitted } = await import("../app/print/fitted.ts");
        world.stdout.write(`${await fitted(world.stdout, await tableText(world, agents, { started, commands, batches }))}\n`);
      }
      finish(0);
    });
}

/** The agents that sessions of this folder have started; finished ones only with `all`. */
async function startedHere(world: World, all: boolean): Promise<AgentRecord[]> {
  const { agentsHere } = await import("../app/session/agents/resume-agent.ts");
  const records = (await agentsHere(world)).map(({ record }) => record);
  return all ? records : records.filter(({ state }) => state !== "completed" && state !== "stopped");
}

/** The running commands, or with `all` every known one. */
async function commandsOf(world: World, all: boolean): Promise<CommandHere[]> {
  const { commandsHere } = await import("../app/session/background-commands.ts");
  const commands = await commandsHere(world);
  return all ? commands : commands.filter(({ record }) => record.state === "running");
}

async function jsonOf(world: World, { started, commands, batches }: Started): Promise<Record<string, unknown>> {
  const [{ agentJson }, { commandJson }] = await Promise.all([
    import("../screen/commands/session-agent-table.ts"),
    import("../screen/commands/command-table.ts"),
  ]);
  const nowMs = (await world.edges.clock()).now().getTime();
  return {
    session_agents: started.map((record) => agentJson(record, nowMs)),
    session_commands: commands.map((command) => commandJson(command, nowMs)),
    batches: batches.map(({ store }) => ({
      id: store.batch.id,
      units: store.units().map(({ id, state, folder }) => ({ id, state, worktree: folder })),
    })),
  };
}

/** The members of teams that run in this folder's repository. An unreadable team is skipped, because `tool team list` reports it. */
async function teammatesHere(world: World): Promise<(AgentAtWork & { team: string })[]> {
  const { allTeams, isOfHere } = await import("../app/team/open-team.ts");
  const { agentsAtWork, teamAtWork } = await import("../team/agents-at-work.ts");
  const [processes, clock] = await Promise.all([world.edges.processes(), world.edges.clock()]);
  return (await allTeams(world)).flatMap(({ board, ports: { disk } }) => {
    const read = teamAtWork({ board, disk, clock, processes });
    if (!read.ok || !isOfHere(disk, read.team.record.cwd, world)) return [];
    const { state } = read.team.status;
    if (state !== "running" && state !== "lead_gone") return [];
    return agentsAtWork(read.team, clock.now()).map((agent) => ({ team: board.name, ...agent }));
  });
}

type Started = { started: AgentRecord[]; commands: CommandHere[]; batches: BatchAtWork[] };

async function tableText(world: World, agents: AgentAtWork[], { started, commands, batches }: Started): Promise<string> {
  const { styleOf, widthOf } = await import("../app/print/print-reply.ts");
  const style = styleOf(
    world,
    agents.map(({ name }) => name),
  );
  const columns = widthOf(world.stdout);
  const tables: string[] = [];
  const nowMs = (await world.edges.clock()).now().getTime();
  if (agents.length > 0) tables.push((await import("../screen/team/agent-table.ts")).agentTable(agents, style, columns));
  if (started.length > 0) {
    const { sessionAgentTable } = await import("../screen/commands/session-agent-table.ts");
    tables.push(sessionAgentTable(started, style, { nowMs, columns, resume: `${world.command} agents resume` }));
  }
  if (commands.length > 0) {
    const { commandTable } = await import("../screen/commands/command-table.ts");
    tables.push(commandTable(commands, style, { nowMs, columns }));
  }
  if (batches.length > 0) {
    const { batchAtWorkText } = await import("../screen/batch/batch-report.ts");
    tables.push(...batches.map(({ store, holder }) => batchAtWorkText(store, { style, holder })));
  }
  return tables.join("\n\n") || "No agents are at work in this folder.";
}
