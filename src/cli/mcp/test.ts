// `tool mcp test`: starts one server as a session would, lists what it offers, and ends it.
import { styleOf } from "../../app/print/print-reply.ts";
import { openSettings } from "../../app/settings/open-settings.ts";
import type { ExitCode, World } from "../../app/world.ts";
import type { Catalog } from "../../mcp/catalog.ts";
import { faultIn, type LinkFault } from "../../mcp/link.ts";
import { visibleText } from "../../screen/visible-text.ts";
import type { LoadedSettings } from "../../settings/files.ts";
import { errorText } from "../../wording/error-text.ts";
import { plural } from "../../wording/figures.ts";
import { type ShowFlags, usableServer } from "./show.ts";

export async function testServer(world: World, name: string, { json, trust }: ShowFlags): Promise<ExitCode> {
  const settings = await openSettings(world, { trust });
  usableServer(settings, name);
  const seen = await lookAt(world, settings, name);
  if (json)
    world.stdout.write(`${JSON.stringify({ ok: seen.ok, server: name, ...(seen.ok ? countsOf(seen) : { reason: seen.reason }) })}\n`);
  else world.stdout.write(seenText(world, name, seen));
  return seen.ok ? 0 : 1;
}

/** `fault`: of a server that is not to be used; one that needs a login works after that. */
export type Seen = { ok: true; catalog: Catalog; ms: number } | { ok: false; fault: LinkFault["fault"]; reason: string };

/** Starts it and ends it again. What it offers is kept for sessions. */
export async function lookAt(world: World, settings: LoadedSettings, name: string): Promise<Seen> {
  const { connectionsOf } = await import("../../agent/workspace/open-servers.ts");
  const [{ open }, disk, clock] = await Promise.all([world.edges.servers(), world.edges.disk(), world.edges.clock()]);
  const { cwd, configDir, env } = world;
  const place = { settings, cwd, configDir, env, owner: `mcp-test:${world.uniqueId()}` };
  const connections = await connectionsOf(place, { openServer: open, disk });
  const connection = connections.all.find(({ configured }) => configured.name === name);
  const interrupted = new AbortController();
  const stop = world.onSignal(() => interrupted.abort());
  const from = clock.monotonicMs();
  try {
    if (!connection) return { ok: false, fault: "refused", reason: "is not configured here" };
    const catalog = await connection.use(async (_link, list) => list, { signal: interrupted.signal });
    return { ok: true, catalog, ms: clock.monotonicMs() - from };
  } catch (error) {
    return { ok: false, fault: faultIn(error), reason: errorText(error) };
  } finally {
    await connections.close();
    stop();
  }
}

function countsOf({ catalog: { tools, prompts, resources, leftOut }, ms }: Extract<Seen, { ok: true }>) {
  return {
    ms: Math.round(ms),
    tools: tools.map(({ name }) => name),
    prompts: prompts.length,
    resources: resources.length,
    left_out: leftOut,
  };
}

/** Programs such as npx fetch a server first, and have it at the next start. */
const firstStart = ({ command }: World, name: string, { reason }: { reason: string }) =>
  reason.startsWith("did not start within")
    ? ` If it is fetched at its first start, try again: ${command} mcp test ${name}. The limit is mcp.startSeconds of your settings.`
    : "";

export function seenText(world: World, name: string, seen: Seen): string {
  const style = styleOf(world);
  const line = (state: "done" | "failed" | "needs_you", text: string) =>
    `${style.state(state, style.symbol(state))} ${visibleText(text)}\n`;
  if (!seen.ok)
    return line(
      seen.fault === "login" ? "needs_you" : "failed",
      `The server "${name}" ${seen.reason}${/[.?]$/.test(seen.reason) ? "" : "."}${firstStart(world, name, seen)}`,
    );
  const { tools, prompts, resources, leftOut } = seen.catalog;
  const offers = [
    plural(tools.length, "tool"),
    ...(prompts.length > 0 ? [plural(prompts.length, "prompt")] : []),
    ...(resources.length > 0 ? [plural(resources.length, "resource")] : []),
  ];
  return [
    line("done", `The server "${name}" answered after ${Math.round(seen.ms)} ms: ${offers.join(", ")}.`),
    ...tools.map((tool) => visibleText(`  ${tool.name}\n`)),
    ...leftOut.map((reason) => visibleText(`  left out: ${reason}\n`)),
  ].join("");
}
