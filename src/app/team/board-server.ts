// A team's board as a server of the Model Context Protocol, for a program of the person's that plays a member.
import type { Actor } from "../../board/tasks/task.ts";
import { programOf, type TeamRecord } from "../../board/team-record.ts";
import { boardTools, inboxTool } from "../../board/tools.ts";
import { serveTools, type ToolServer } from "../../mcp/serve-tools.ts";
import { optionsOf } from "../../team/place.ts";
import { boardInstructions } from "../../team/program/program-prompt.ts";
import { UsageError, type World } from "../world.ts";
import { handingOver } from "./handing-over.ts";
import { actorNamed, openTeam } from "./open-team.ts";
import { scriptWitness } from "./script-witness.ts";
import { openTrees } from "./team-trees.ts";

/** Throws UsageError if there is no such team or member, or if this process may not act as it. */
export async function openBoardServer(world: World, { as, team }: { as: string; team?: string | undefined }): Promise<ToolServer> {
  const { board, record } = await openTeam(world, team);
  const actor = actorNamed(as, record);
  if (actor.role === "user") throw new UsageError("Cannot serve the board as user: only you answer and act as yourself. Name a member.");
  await requireRight(world, record, as);
  const { worktrees } = optionsOf(record);
  const trees = await openTrees(world, { worktrees, team: record.name, name: as, cwd: record.cwd });
  const own = trees && actor.role === "teammate" ? trees : undefined;
  const acting: Actor = { ...actor, witness: scriptWitness(world, { ...record, cwd: own?.folderOf(as) ?? record.cwd }) };
  const tools = boardTools(board, acting);
  return serveTools({
    name: `team ${record.name}`,
    version: world.version,
    instructions: boardInstructions(as, record.name),
    tools: [...(own ? handingOver(tools, { trees: own, board, actor: acting }) : tools), inboxTool(board, acting)],
  });
}

/** A person may act as any member. Below an agent only the program that plays this member may, under its own name. */
async function requireRight({ edges }: World, record: TeamRecord, as: string): Promise<void> {
  const owners = await edges.actingAgents();
  if (owners.length === 0) return;
  const member = record.members.find(({ name }) => name === as);
  if (programOf(record, as) !== undefined && owners.includes(`${member?.session}:${as}`)) return;
  throw new UsageError(`Cannot act as ${JSON.stringify(as)}: ${owners[0]} started this process, and acts under its own name only.`);
}
