// `tool mcp add` and `remove`: changes one entry and leaves the rest of the file as it was written.
import { dirname, join } from "node:path";
import { note } from "../../app/note.ts";
import { openSettings, settingsPlaces } from "../../app/settings/open-settings.ts";
import { type ExitCode, UsageError, type World } from "../../app/world.ts";
import { readServer } from "../../mcp/server.ts";
import { setValue, unsetValue } from "../../settings/edit.ts";
import { loadSettings, projectRoot } from "../../settings/files.ts";
import { jsonPlaces } from "../../settings/json-places.ts";
import { projectServers } from "../../settings/server-files.ts";
import { parseSettings } from "../../settings/settings.ts";
import { powerFiles, recordTrust } from "../../settings/trust.ts";
import { lookAt, seenText } from "./test.ts";

type Scope = "user" | "project";
export type AddFlags = { url?: string; env?: string[]; header?: string[]; scope: Scope; check: boolean; json?: boolean };
export type Added = { name: string; words: string[]; flags: AddFlags };

export async function addServer(world: World, { name, words, flags }: Added): Promise<ExitCode> {
  const entry = entryOf({ name, words, flags });
  const read = readServer(name, entry);
  if (!read.ok)
    throw new UsageError(`cannot add the server ${JSON.stringify(name)}: ${read.faults.map(({ reason }) => reason).join("; ")}.`);
  const { scope } = flags;
  const file = await fileOf(world, scope);
  const text = await validText(world, { scope, file });
  const isUsed = await write(world, { file, scope, text: setValue(text, ["mcpServers", name], entry) });
  const settings = await openSettings(world, {});
  const mine = settings.servers.servers.find((one) => one.name === name && one.file === file);
  const seen = flags.check && mine ? await lookAt(world, settings, name) : undefined;
  if (flags.json) {
    const checked = seen && (seen.ok ? { tools: seen.catalog.tools.length } : { reason: seen.reason });
    world.stdout.write(`${JSON.stringify({ ok: true, server: name, file, checked: checked ?? null })}\n`);
    return 0;
  }
  world.stdout.write(`Added the server "${name}" to ${file}${isUsed ? "" : ", where it waits until you trust this project"}.\n`);
  if (seen) world.stdout.write(seenText(world, name, seen));
  for (const warning of settings.servers.warnings.filter((one) => one.startsWith(`${file}:`) && one.includes(JSON.stringify(name))))
    note(world, warning);
  return 0;
}

/** Throws UsageError if it is neither a program nor an address. */
function entryOf({ words, flags: { url, env = [], header = [] } }: Added): Record<string, unknown> {
  const [command, ...args] = words;
  if ((command === undefined) === (url === undefined))
    throw new UsageError(
      "a server is either a program, after --, or an address, with --url. For example: tool mcp add files -- npx -y @modelcontextprotocol/server-filesystem .",
    );
  if (url !== undefined && env.length > 0) throw new UsageError("--env is for a program; a remote server takes --header.");
  if (url === undefined && header.length > 0) throw new UsageError("--header is for a remote server; a program takes --env.");
  if (url !== undefined)
    return { type: "http", url, ...(header.length > 0 && { headers: pairs(header, /^([\w-]+):\s*(.*)$/s, "Name: value") }) };
  return { command, ...(args.length > 0 && { args }), ...(env.length > 0 && { env: pairs(env, /^([A-Za-z_]\w*)=(.*)$/s, "NAME=value") }) };
}

function pairs(given: string[], form: RegExp, shape: string): Record<string, string> {
  return Object.fromEntries(
    given.map((text) => {
      const [, key, value] = form.exec(text) ?? [];
      if (key === undefined || value === undefined) throw new UsageError(`${JSON.stringify(text)} does not have the form ${shape}.`);
      return [key, value];
    }),
  );
}

export async function removeServer(world: World, name: string, { scope, json }: { scope?: Scope; json?: boolean }): Promise<ExitCode> {
  const removed: string[] = [];
  for (const one of scope ? [scope] : (["user", "project"] as const)) {
    const file = await fileOf(world, one);
    const text = await validText(world, { scope: one, file });
    const left = text === undefined ? undefined : unsetValue(text, ["mcpServers", name]);
    if (left === undefined) continue;
    await write(world, { file, scope: one, text: left });
    removed.push(file);
  }
  if (json) world.stdout.write(`${JSON.stringify({ ok: removed.length > 0, server: name, files: removed })}\n`);
  else if (removed.length > 0) world.stdout.write(`Removed the server "${name}" from ${removed.join(" and ")}.\n`);
  if (removed.length > 0) return 0;
  const elsewhere = (await openSettings(world, {})).servers;
  const other = [...elsewhere.servers, ...elsewhere.waiting, ...elsewhere.off].find((one) => one.name === name);
  const where = other ? `: its entry is in ${other.file}:${other.line}, which this command does not change` : "";
  if (!json) note(world, `There is no server "${name}" to remove${scope ? ` in the ${scope} scope` : ""}${where}.`);
  return 2;
}

async function fileOf(world: World, scope: Scope): Promise<string> {
  if (scope === "user") return join(world.configDir, "settings.json");
  return join(projectRoot(await world.edges.disk(), world.cwd), projectServers);
}

/** Throws UsageError if what is there cannot be read: nothing is written over it. */
async function validText(world: World, { scope, file }: { scope: Scope; file: string }): Promise<string | undefined> {
  const text = (await world.edges.disk()).read(file)?.toString("utf8");
  if (text === undefined || text.trim() === "") return undefined;
  if (scope === "user") {
    const read = parseSettings(text, file);
    if (!read.ok) throw new UsageError(read.reason);
    return text;
  }
  const scanned = jsonPlaces(text.replace(/^\uFEFF/, ""));
  if ("fault" in scanned) throw new UsageError(`Cannot change ${file}:${scanned.fault.line}: it is not JSON: ${scanned.fault.reason}.`);
  const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
  const servers =
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? ((value as { mcpServers?: unknown }).mcpServers ?? {})
      : undefined;
  if (typeof servers !== "object" || Array.isArray(servers))
    throw new UsageError(`Cannot change ${file}: "mcpServers" in it must be an object.`);
  return text;
}

/** A project stays trusted if the person who trusts it adds a server. False if it waits for trust. */
async function write(world: World, { file, scope, text }: { file: string; scope: Scope; text: string }): Promise<boolean> {
  const [disk, clock] = await Promise.all([world.edges.disk(), world.edges.clock()]);
  const before = loadSettings(disk, settingsPlaces(world));
  const wasTrusted =
    before.ok &&
    (before.trust.state === "trusted" || powerFiles(disk, { root: before.root, configDir: world.configDir }).files.length === 0);
  disk.makeFolder(dirname(file));
  disk.replace(file, text, { throughLink: scope === "user" });
  const after = loadSettings(disk, settingsPlaces(world));
  if (scope === "user" || !after.ok || after.trust.state === "trusted") return true;
  if (!wasTrusted || after.hash === undefined) return false;
  recordTrust(disk, { configDir: world.configDir, root: after.root, hash: after.hash, at: clock.now() });
  return true;
}
