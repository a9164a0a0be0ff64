// `tool mcp add` and `remove`: changes one entry and leaves the rest of the file as it was written.
import { join } from "node:path";
import { note } from "../../app/note.ts";
import { openSettings } from "../../app/settings/open-settings.ts";
import { type OwnScope, settingsFiles, writeSettings } from "../../app/settings/write-settings.ts";
import { type ExitCode, UsageError, type World } from "../../app/world.ts";
import { readServer } from "../../mcp/server.ts";
import { setValue, unsetValue } from "../../settings/edit.ts";
import { projectRoot } from "../../settings/files.ts";
import { jsonPlaces, readableJson } from "../../settings/json-places.ts";
import { projectServers } from "../../settings/server-files.ts";
import { parseSettings } from "../../settings/settings.ts";
import { lookAt, seenText } from "./test.ts";

/** In a project, everybody's servers stand in `.mcp.json`. */
export type Scope = OwnScope;
type WriteFlags = { scope: Scope; check: boolean; json?: boolean };
export type AddFlags = WriteFlags & { transport?: string; url?: string; env?: string[]; header?: string[] };
export type Added = { name: string; words: string[]; flags: AddFlags };

export const addServer = (world: World, { name, words, flags }: Added): Promise<ExitCode> =>
  addEntry(world, { name, entry: entryOf({ name, words, flags }), flags });

/** `text`: the entry as it stands in other files. Throws UsageError if it is none. */
export async function addWritten(
  world: World,
  { name, text, flags }: { name: string; text: string; flags: WriteFlags },
): Promise<ExitCode> {
  const read = readableJson(text);
  if (!read.ok) throw new UsageError(`the entry is not JSON: ${read.reason}.`);
  return addEntry(world, { name, entry: read.value, flags });
}

async function addEntry(world: World, { name, entry, flags }: { name: string; entry: unknown; flags: WriteFlags }): Promise<ExitCode> {
  const read = readServer(name, entry);
  if (!read.ok)
    throw new UsageError(`cannot add the server ${JSON.stringify(name)}: ${read.faults.map(({ reason }) => reason).join("; ")}.`);
  const { scope } = flags;
  const file = await fileOf(world, scope);
  const text = await validText(world, { scope, file });
  const isUsed = await writeSettings(world, { file, text: setValue(text, ["mcpServers", name], entry) });
  const settings = await openSettings(world, {});
  const mine = settings.servers.servers.find((one) => one.name === name && one.file === file);
  const seen = flags.check && mine ? await lookAt(world, settings, name) : undefined;
  const ok = seen === undefined || seen.ok || seen.fault === "login";
  if (flags.json) {
    const checked = seen && (seen.ok ? { tools: seen.catalog.tools.length } : { reason: seen.reason, needs_login: seen.fault === "login" });
    world.stdout.write(`${JSON.stringify({ ok, server: name, file, checked: checked ?? null })}\n`);
    return ok ? 0 : 1;
  }
  world.stdout.write(`Added the server "${name}" to ${file}${isUsed ? "" : ", where it waits until you trust this project"}.\n`);
  if (seen) world.stdout.write(seenText(world, name, seen));
  for (const warning of settings.servers.warnings.filter((one) => one.startsWith(`${file}:`) && one.includes(JSON.stringify(name))))
    note(world, warning);
  if (ok) return 0;
  note(
    world,
    `The server "${name}" is added, but it could not be started. To try again: ${world.command} mcp test ${name}; to remove it: ${world.command} mcp remove ${name}`,
  );
  return 1;
}

/** Throws UsageError if it is neither a program nor an address. */
function entryOf(added: Added): Record<string, unknown> {
  const { env = [], header = [] } = added.flags;
  const what = whatIsAdded(added);
  if (what.kind === "address") {
    if (env.length > 0) throw new UsageError("--env is for a program; a remote server takes --header.");
    return { type: "http", url: what.url, ...(header.length > 0 && { headers: pairs(header, /^([\w-]+):\s*(.*)$/s, "Name: value") }) };
  }
  if (header.length > 0) throw new UsageError("--header is for a remote server; a program takes --env.");
  const { command, args } = what;
  return { command, ...(args.length > 0 && { args }), ...(env.length > 0 && { env: pairs(env, /^([A-Za-z_]\w*)=(.*)$/s, "NAME=value") }) };
}

type What = { kind: "address"; url: string } | { kind: "program"; command: string; args: string[] };

/** A word alone that is an address needs no flag. */
function whatIsAdded({ words, flags: { url, transport } }: Added): What {
  const [first, ...rest] = url === undefined ? words : [url, ...words];
  const isAddress = url !== undefined || (rest.length === 0 && /^https?:\/\//.test(first ?? ""));
  const kind = transport ?? (isAddress ? "http" : "stdio");
  if (kind === "sse")
    throw new UsageError('"sse" is a transport that servers no longer use: give the address for streamable HTTP with --transport http.');
  if (kind !== "http" && kind !== "stdio")
    throw new UsageError(`the transport is "stdio" (a program) or "http" (an address), and not ${JSON.stringify(kind)}.`);
  if (first === undefined || (kind === "http" ? rest.length > 0 : url !== undefined))
    throw new UsageError(
      "a server is either a program, after --, or an address, with --url. For example: tool mcp add files -- mcp-server-filesystem .",
    );
  return kind === "http" ? { kind: "address", url: first } : { kind: "program", command: first, args: rest };
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
  for (const one of scope ? [scope] : scopes) {
    const file = await fileOf(world, one);
    const text = await validText(world, { scope: one, file });
    const left = text === undefined ? undefined : unsetValue(text, ["mcpServers", name]);
    if (left === undefined) continue;
    await writeSettings(world, { file, text: left });
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

const scopes = ["user", "project", "local"] as const satisfies Scope[];

async function fileOf(world: World, scope: Scope): Promise<string> {
  const disk = await world.edges.disk();
  return scope === "project" ? join(projectRoot(disk, world.cwd), projectServers) : settingsFiles(world, disk)[scope];
}

/** Throws UsageError if what is there cannot be read: nothing is written over it. */
async function validText(world: World, { scope, file }: { scope: Scope; file: string }): Promise<string | undefined> {
  const text = (await world.edges.disk()).read(file)?.toString("utf8");
  if (text === undefined || text.trim() === "") return undefined;
  if (scope !== "project") {
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
