// The MCP servers of a session: one set of connections for it and all its sub-agents, of which each agent sees those that its definition names.
import type { Connection, Connections } from "../../mcp/connections.ts";
import { serverEnvironment } from "../../secrets/environment.ts";
import type { AskDesk } from "../../tools/ask-user.ts";
import type { AnyTool } from "../../tools/tool.ts";
import type { Bounds } from "../child-policy.ts";
import type { WorkspacePorts } from "../ports/workspace-ports.ts";
import { estimateTokens } from "../requests/tokens.ts";
import type { Workspace } from "../workspace.ts";
import { environmentOf, type WorkspaceRequest } from "./workspace-request.ts";

export type SessionServers = Connections & {
  /** `desk`: where servers put the questions that they have during calls of this agent. */
  toolsFor(connections: readonly Connection[], desk: AskDesk): AnyTool[];
};

const limits = { startSeconds: 10, callSeconds: 60, promptTokens: 2_000 };

type Place = Pick<WorkspaceRequest, "settings" | "cwd" | "configDir" | "env" | "owner">;

/** Nothing of it is loaded without a server, and nothing is started. A sub-agent uses those of its session. */
export async function openServers(request: WorkspaceRequest, ports: WorkspacePorts): Promise<SessionServers | undefined> {
  const { child, settings, readOnly } = request;
  if (child) return child.parent.servers;
  if (readOnly || settings.servers.servers.length === 0) return undefined;
  const [connections, { serverTools }] = await Promise.all([connectionsOf(request, ports), import("../../mcp/server-tools.ts")]);
  const budget = { tokens: settings.effective.mcp?.promptTokens ?? limits.promptTokens, estimate: estimateTokens };
  return { ...connections, toolsFor: (allowed, desk) => (allowed.length > 0 ? serverTools({ connections: allowed, budget, desk }) : []) };
}

/** Connections to the servers that are configured here; none is started yet. */
export async function connectionsOf(place: Place, { openServer, disk }: Pick<WorkspacePorts, "openServer" | "disk">): Promise<Connections> {
  const [{ isRepositorys }, { openConnections }, { keptLists }] = await Promise.all([
    import("../../mcp/choose-servers.ts"),
    import("../../mcp/connections.ts"),
    import("../../mcp/lists.ts"),
  ]);
  const { settings, cwd, configDir, env, owner } = place;
  const { effective } = settings;
  const { startSeconds, callSeconds } = { ...limits, ...effective.mcp };
  return openConnections({
    configured: settings.servers.servers,
    open: openServer,
    lists: keptLists(disk, configDir),
    variables: (where) => (isRepositorys(where) ? environmentOf(place, effective) : { ...env, ...effective.env }),
    env: serverEnvironment(env),
    cwd,
    configDir,
    owner,
    startMs: startSeconds * 1000,
    callMs: callSeconds * 1000,
  });
}

/** What this agent has of them: those that its definition and every one above it name; all where none does. */
export function serversOf(
  { child, definition }: WorkspaceRequest,
  connections: Connections | undefined,
): Pick<Workspace, "servers" | "resource" | "onServerNote"> {
  const bounds: Pick<Bounds, "mcpServers">[] = child ? [child, ...(child.above ?? [])] : [definition ?? {}];
  const isNamed = ({ configured }: Connection) => bounds.every(({ mcpServers }) => mcpServers?.includes(configured.name) !== false);
  const servers = connections?.all.filter(isNamed) ?? [];
  return {
    servers,
    async resource(named, signal) {
      if (servers.length === 0) return undefined;
      const { atServer, resourceText } = await import("../../mcp/prompts.ts");
      const at = atServer(servers, named);
      return at && resourceText(at, signal);
    },
    onServerNote: (listener) => connections?.listen(listener) ?? (() => {}),
  };
}
