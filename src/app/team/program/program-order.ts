// How a program of the person's is started as a member: its command with variables filled in, its environment, and the two files that it may read.
import type { BoardDisk } from "../../../board/disk.ts";
import { filler } from "../../../mcp/expand.ts";
import { serverEnvironment } from "../../../secrets/environment.ts";
import type { ProgramEntry } from "../../../settings/member-settings.ts";
import { ownerOfMember } from "../../../team/member-process.ts";
import { programInstructions } from "../../../team/program/program-prompt.ts";
import { UsageError, type World } from "../../world.ts";

export type ProgramOrder = {
  argv: string[];
  env: Record<string, string>;
  wake: { input: string } | { argv: string[] } | undefined;
};

export type ProgramPlace = { name: string; team: string; session: string; branch: string | undefined; folder: string };

/** Writes the instructions and the entry of the board's server into the member's folder; returns what the entry may name besides the environment. */
export function programVariables(
  { self, configDir, env }: Pick<World, "self" | "configDir" | "env">,
  disk: Pick<BoardDisk, "replace">,
  { name, team, branch, folder }: ProgramPlace,
): Record<string, string> {
  const [command = "", ...args] = self;
  const server = {
    command,
    args: [...args, "team", "mcp", "--as", name, "--team", team],
    env: { TOOL_CONFIG_DIR: configDir, ...(env["HOME"] && { HOME: env["HOME"] }) },
  };
  const instructions = programInstructions(name, team, branch);
  const files = { TOOL_MCP_CONFIG: `${folder}/mcp.json`, TOOL_INSTRUCTIONS_FILE: `${folder}/instructions.md` };
  disk.replace(files.TOOL_MCP_CONFIG, `${JSON.stringify({ mcpServers: { team: server } }, null, 2)}\n`);
  disk.replace(files.TOOL_INSTRUCTIONS_FILE, `${instructions}\n`);
  return { ...files, TOOL_INSTRUCTIONS: instructions, TOOL_MEMBER: name, TOOL_TEAM: team, TOOL_CONFIG_DIR: configDir };
}

/** Throws UsageError if the entry names a variable that is not set. `news`: what it is told besides its instructions. */
export function programOrder(
  entry: ProgramEntry,
  { world, own, news, place }: { world: Pick<World, "env">; own: Record<string, string>; news: string; place: ProgramPlace },
): ProgramOrder {
  const variables = { ...world.env, ...own, TOOL_NEWS: news };
  const { filled, missing } = filler(variables);
  const named = entry.env.map((text): [string, string] => {
    const [name = "", value] = text.split(/=(.*)/s);
    return [name, value === undefined ? (world.env[name] ?? "") : filled(value)];
  });
  const { input, command } = entry.wake ?? {};
  const order = {
    argv: entry.command.map(filled),
    env: {
      ...serverEnvironment(world.env),
      ...Object.fromEntries(named.filter(([, value]) => value !== "")),
      ...own,
      TOOL_NEWS: news,
      TOOL_OWNER: ownerOfMember(place),
    },
    wake: input !== undefined ? { input: filled(input) } : command && { argv: command.map(filled) },
  };
  const reason = missing();
  if (reason !== undefined) throw new UsageError(`Cannot start the program of ${place.name}: ${reason}.`);
  return order;
}
