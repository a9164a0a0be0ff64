// `tool mcp login` and `logout`.
import { openSettings } from "../../app/settings/open-settings.ts";
import { type ExitCode, UsageError, type World } from "../../app/world.ts";
import { isRepositorys } from "../../mcp/choose-servers.ts";
import { expanded } from "../../mcp/expand.ts";
import { codeIn } from "../../mcp/login.ts";
import type { Server } from "../../mcp/server.ts";
import { visibleText } from "../../screen/visible-text.ts";
import { commandEnvironment } from "../../secrets/environment.ts";
import { type ShowFlags, usableServer } from "./show.ts";

export async function loginAt(world: World, name: string, { trust, browser }: ShowFlags & { browser: boolean }): Promise<ExitCode> {
  const server = await remoteServer(world, name, { trust });
  const { login } = await world.edges.servers();
  const interrupted = new AbortController();
  const stop = world.onSignal(() => interrupted.abort());
  const onAddress = (address: string, isOpen: boolean) =>
    world.stdout.write(
      visibleText(
        `${isOpen ? "Your browser opens this address" : "Open this address in a browser"}:\n\n  ${address}\n\nWaiting. If the browser runs elsewhere, paste the address that it is sent to in the end.\n`,
      ),
    );
  try {
    const { configDir } = world;
    const done = await login({
      name,
      server,
      configDir,
      browser,
      onAddress,
      codeIn,
      pasted: lines(world.stdin),
      signal: interrupted.signal,
    });
    if (done.ok) world.stdout.write(`Logged in at "${name}".\n`);
    else world.stderr.write(visibleText(`tool: Cannot log in at "${name}": ${done.reason.replace(/\.$/, "")}. Nothing was kept.\n`));
    return done.ok ? 0 : 1;
  } finally {
    stop();
  }
}

export async function logoutFrom(world: World, name: string, { trust }: ShowFlags): Promise<ExitCode> {
  const server = await remoteServer(world, name, { trust });
  const { logout } = await world.edges.servers();
  const had = logout({ name, url: server.url, configDir: world.configDir });
  world.stdout.write(had ? `Logged out of "${name}".\n` : `There was no login at "${name}".\n`);
  return 0;
}

/** Throws UsageError if it is a program, or its address is not known. */
async function remoteServer(world: World, name: string, flags: ShowFlags): Promise<Extract<Server, { kind: "http" }>> {
  const settings = await openSettings(world, flags);
  const { server, place } = usableServer(settings, name);
  const own = { ...world.env, ...settings.effective.env };
  const filled = expanded(server, isRepositorys(place) ? commandEnvironment(own, "") : own);
  if (!filled.ok) throw new UsageError(`cannot use the server "${name}": ${filled.reason}.`);
  if (filled.server.kind !== "http") throw new UsageError(`the server "${name}" is a program: only remote servers have a login.`);
  return filled.server;
}

async function* lines(input: AsyncIterable<Buffer>): AsyncIterable<string> {
  let rest = "";
  for await (const piece of input) {
    const parts = (rest + piece.toString("utf8")).split("\n");
    rest = parts.pop() ?? "";
    yield* parts;
  }
  if (rest !== "") yield rest;
}
