// The MCP servers that an editor gives a session: as entries of settings, so that the same rules, limits and environments count for them.
import type { McpServer } from "@agentclientprotocol/sdk";
import { nameLike } from "../../mcp/server.ts";

/** By name. A name that no rule could have is changed into the nearest one that it can. */
export function entriesOf(servers: readonly McpServer[]): Record<string, unknown> {
  const entries: Record<string, unknown> = {};
  for (const server of servers) entries[freeName(nameLike(server.name), entries)] = entryOf(server);
  return entries;
}

function freeName(name: string, taken: Record<string, unknown>): string {
  for (let number = 1; ; number++) {
    const free = number === 1 ? name : `${name.slice(0, 28)}-${number}`;
    if (!Object.hasOwn(taken, free)) return free;
  }
}

function entryOf(server: McpServer): Record<string, unknown> {
  if ("url" in server) return { type: server.type, url: server.url, headers: pairs(server.headers) };
  return { command: server.command, args: server.args, env: pairs(server.env) };
}

const pairs = (list: readonly { name: string; value: string }[]) => Object.fromEntries(list.map(({ name, value }) => [name, value]));
