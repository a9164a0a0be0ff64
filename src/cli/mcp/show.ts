// Prints `tool mcp list` and `tool mcp get`: what is configured, and what was last seen of it. Nothing is started.

import { placeWords, serversText } from "../../app/controls/servers-text.ts";
import { fitted } from "../../app/print/fitted.ts";
import { styleOf } from "../../app/print/print-reply.ts";
import { openSettings } from "../../app/settings/open-settings.ts";
import { type ExitCode, UsageError, type World } from "../../app/world.ts";
import type { Catalog } from "../../mcp/catalog.ts";
import type { ConfiguredServer, ConfiguredServers } from "../../mcp/choose-servers.ts";
import { keptLists } from "../../mcp/lists.ts";
import { serverText } from "../../mcp/server.ts";
import { visibleLine } from "../../screen/visible-text.ts";
import type { LoadedSettings } from "../../settings/files.ts";
import { trustWays } from "../../settings/trust.ts";
import { nearestName } from "../../wording/nearest-name.ts";

export type ShowFlags = { json?: boolean; trust?: boolean };

export async function listServers(world: World, { json, trust }: ShowFlags): Promise<ExitCode> {
  const settings = await openSettings(world, { trust });
  const { servers } = settings;
  const lists = keptLists(await world.edges.disk(), world.configDir);
  const catalogOf = ({ name, server }: ConfiguredServer) => lists.read(name, server);
  if (json) world.stdout.write(`${JSON.stringify({ ok: true, ...asJson(servers, catalogOf) })}\n`);
  else {
    const where = { style: styleOf(world), command: world.command, cwd: world.cwd, trust: trustWays(settings) };
    world.stdout.write(
      `${await fitted(world.stdout, serversText(servers, { ...where, known: (one) => ({ catalog: catalogOf(one) }) }))}\n`,
    );
  }
  return 0;
}

export async function showServer(world: World, name: string, { json, trust }: ShowFlags): Promise<ExitCode> {
  const settings = await openSettings(world, { trust });
  const { server, state } = serverNamed(settings, name);
  const catalog = keptLists(await world.edges.disk(), world.configDir).read(name, server.server);
  if (json)
    world.stdout.write(
      `${JSON.stringify({ ok: true, server: { ...oneAsJson(server, { state, catalog }), entry: server.server, catalog: catalog ?? null } })}\n`,
    );
  else world.stdout.write(`${wholeText(server, { state, catalog })}\n`);
  return 0;
}

export type ServerStanding = "ready" | "waits for trust" | "off";

/** Throws UsageError if there is none. */
function serverNamed(
  { servers: { servers, waiting, off, problems } }: Pick<LoadedSettings, "servers">,
  name: string,
): { server: ConfiguredServer; state: ServerStanding } {
  const all = standings({ servers, waiting, off });
  const found = all.find(({ server }) => server.name === name);
  if (found) return found;
  const broken = problems.find((text) => text.includes(JSON.stringify(name)));
  const names = all.map(({ server }) => server.name);
  const near = nearestName(name, names);
  const known = near ? `Did you mean "${near}"?` : names.length > 0 ? `There are: ${names.join(", ")}.` : "There are none here.";
  throw new UsageError(broken ?? `there is no server ${JSON.stringify(name)}. ${known}`);
}

/** Throws UsageError also if it may not be started. */
export function usableServer(settings: Pick<LoadedSettings, "servers" | "hash">, name: string): ConfiguredServer {
  const { server, state } = serverNamed(settings, name);
  if (state === "ready") return server;
  const why =
    state === "off" ? "its entry says that it is not to be used" : `it waits until you trust this project: ${trustWays(settings)}`;
  throw new UsageError(`cannot start the server "${name}" of ${server.file}:${server.line}: ${why}.`);
}

function standings({ servers, waiting, off }: Pick<ConfiguredServers, "servers" | "waiting" | "off">) {
  const as = (state: ServerStanding) => (server: ConfiguredServer) => ({ server, state });
  return [...servers.map(as("ready")), ...waiting.map(as("waits for trust")), ...off.map(as("off"))];
}

function asJson(configured: ConfiguredServers, catalogOf: (server: ConfiguredServer) => Catalog | undefined) {
  const servers = standings(configured).map(({ server, state }) => oneAsJson(server, { state, catalog: catalogOf(server) }));
  return { servers, problems: configured.problems, warnings: configured.warnings };
}

type Seen = { state: ServerStanding; catalog: Catalog | undefined };

/** `tools`: null if it was never started. */
function oneAsJson({ name, place, file, line, server, hides }: ConfiguredServer, { state, catalog }: Seen) {
  const what = server.kind === "stdio" ? { command: [server.command, ...server.args] } : { url: server.url };
  return { name, state, kind: server.kind, ...what, scope: place, file, line, hides, tools: catalog?.tools.length ?? null };
}

function wholeText({ name, place, file, line, server, hides }: ConfiguredServer, { state, catalog }: Seen): string {
  const lines = [
    name,
    `state: ${state}`,
    `${server.kind === "stdio" ? "runs" : "address"}: ${serverText(server)}`,
    `from: ${placeWords[place]}, ${file}:${line}`,
    ...hides.map((other) => `hides: ${placeWords[other.place]}, ${other.file}:${other.line}`),
    ...(catalog ? offered(catalog) : ["tools: not known before it was started once"]),
  ];
  return lines.map(visibleLine).join("\n");
}

function offered({ tools, prompts, resources, leftOut }: Catalog): string[] {
  return [
    tools.length === 0 ? "tools: none" : "tools:",
    ...tools.map(({ name, description }) => `  ${name}  ${description.split("\n")[0]?.slice(0, 100)}`),
    ...prompts.map(({ name, description }) => `  prompt ${name}  ${description.slice(0, 100)}`),
    ...resources.map(({ uri, name }) => `  resource ${uri}  ${name}`),
    ...leftOut.map((reason) => `  left out: ${reason}`),
  ];
}
