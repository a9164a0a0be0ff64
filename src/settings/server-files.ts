// Where servers are configured: settings of every scope, a project's `.mcp.json`, and the file in which Claude Code keeps a person's servers.
import { join } from "node:path";
import { z } from "zod";
import { type ConfiguredServers, chooseServers, type GivenServers, noServers, type ServerPlace } from "../mcp/choose-servers.ts";
import { serverText } from "../mcp/server.ts";
import { errorText } from "../wording/error-text.ts";
import { isRecord } from "../wording/is-record.ts";
import { utf8Text } from "../wording/utf8-text.ts";
import { type JsonPlaces, jsonPlaces } from "./json-places.ts";
import type { ScopedSettings, Withheld } from "./scopes.ts";
import type { TrustDisk } from "./trust.ts";

export const projectServers = ".mcp.json";
const claudeServers = ".claude.json";

type Where = { root: string; home: string; files: readonly ScopedSettings[]; trusted: boolean };

/** `held`: what of the repository waits for trust. */
export type FoundServers = { configured: ConfiguredServers; held: Withheld[] };

/** Mistakes leave out the entry that has them, or the file, and are named; they never keep a session from starting. */
export function configuredServers(disk: Pick<TrustDisk, "read" | "size">, { root, home, files, trusted }: Where): FoundServers {
  const inSettings = files.filter(({ settings }) => Object.keys(settings.mcpServers ?? {}).length > 0);
  const project = join(root, projectServers);
  const own = join(home, claudeServers);
  const others = [
    ...(disk.size(project) === undefined ? [] : [readFile(disk, { place: "project", file: project })]),
    ...(disk.size(own) === undefined ? [] : [readFile(disk, { place: "claude", file: own, root })]),
  ];
  if (inSettings.length === 0 && others.length === 0) return { configured: noServers, held: [] };
  const given = [...inSettings.map((one) => ofSettings(disk, one)), ...others.flatMap((one) => one.given)];
  const configured = chooseServers(given, { trusted });
  const problems = others.flatMap((one) => one.problems);
  const held = configured.waiting.map(
    ({ name, server, file }): Withheld => ({ kind: "server", what: `${name}: ${serverText(server)}`, file, neverGranted: false }),
  );
  const isThere = disk.size(project) !== undefined && !trusted && !held.some(({ file }) => file === project);
  const empty: Withheld = { kind: "server", what: `${projectServers}, in which no server can be used`, neverGranted: false };
  return { configured: { ...configured, problems: [...configured.problems, ...problems] }, held: [...held, ...(isThere ? [empty] : [])] };
}

/** Without a file they come from an editor, whose list has no lines: the number is the place in it. */
function ofSettings(disk: Pick<TrustDisk, "read">, { scope, file, settings }: ScopedSettings): GivenServers {
  const names = Object.keys(settings.mcpServers ?? {});
  if (file === undefined)
    return {
      place: scope,
      file: "the editor",
      servers: settings.mcpServers ?? {},
      line: ([, name]) => names.indexOf(String(name)) + 1,
      unwritten: true,
    };
  return { place: scope, file, servers: settings.mcpServers ?? {}, line: linesOf(() => textOf(disk, file)) };
}

/** The text is searched only if a mistake or a list asks for a line. */
function linesOf(text: () => string): GivenServers["line"] {
  let places: JsonPlaces | undefined;
  return (path) => {
    if (!places) {
      const scanned = jsonPlaces(text());
      places = "places" in scanned ? scanned.places : { line: () => 1, at: () => undefined };
    }
    return places.line(path);
  };
}

const textOf = (disk: Pick<TrustDisk, "read">, file: string) => (disk.read(file)?.toString("utf8") ?? "").replace(/^\uFEFF/, "");

const servers = z.record(z.string(), z.unknown());
const fileSchema = z.object({ mcpServers: servers.default({}) });
const claudeSchema = fileSchema.extend({ projects: z.record(z.string(), z.object({ mcpServers: servers.default({}) })).default({}) });

/** Ours have a few lines; the other program keeps its history in the same file. */
const mostBytes = 4 * 1024 * 1024;

type ServerFile = { place: ServerPlace; file: string; root?: string };

/** `problems`: sentences. */
type ReadFile = { given: GivenServers[]; problems: string[] };

function readFile(disk: Pick<TrustDisk, "read" | "size">, { place, file, root }: ServerFile): ReadFile {
  const cannot = (at: string, reason: string): ReadFile => ({ given: [], problems: [`Cannot use the servers of ${at}: ${reason}.`] });
  try {
    if ((disk.size(file) ?? 0) > mostBytes) return cannot(file, "it is larger than 4 MB");
    const read = utf8Text(disk.read(file) ?? new Uint8Array());
    if (!read.ok) return cannot(`${file}:${read.line}`, read.reason);
    const text = read.text.replace(/^\uFEFF/, "");
    const parsed = parsedAs(root === undefined ? fileSchema : claudeSchema, text);
    if (parsed.ok) {
      const problems = root === undefined ? mistakesIn(text, file) : []; // the other program writes its file by itself
      return { given: givenOf(parsed.value, { place, file, text, root }), problems };
    }
    const scanned = jsonPlaces(text);
    if ("fault" in scanned) return cannot(`${file}:${scanned.fault.line}`, `it is not JSON: ${scanned.fault.reason}`);
    return cannot(`${file}:${scanned.places.line(parsed.path)}`, `"${parsed.path.join(".") || "the whole"}" must be an object`);
  } catch (error) {
    return cannot(file, errorText(error));
  }
}

/** What is JSON and yet not what its writer meant. The text is searched only where something of it is odd, because every start comes here. */
function mistakesIn(text: string, file: string): string[] {
  const written = JSON.parse(text) as Record<string, unknown>;
  const { mcpServers } = written;
  const [other] = Object.keys(written).filter((key) => isRecord(written[key]));
  const isElsewhere = mcpServers === undefined && other !== undefined;
  const isOdd = isElsewhere || Object.keys(mcpServers ?? {}).some((name) => text.split(JSON.stringify(name)).length > 2);
  const scanned = isOdd ? jsonPlaces(text) : undefined;
  if (!scanned || !("places" in scanned)) return [];
  const { repeated, line } = scanned.places;
  if (isElsewhere)
    return [`Cannot use the servers of ${file}:${line([other])}: they stand in "mcpServers", and it has ${JSON.stringify(other)} instead.`];
  if (repeated?.[0] !== "mcpServers") return [];
  return [`${file}:${line(repeated)}: "${repeated.slice(0, 2).join(".")}" stands there twice, and the last one counts.`];
}

type Parsed = { ok: true; value: z.infer<typeof claudeSchema> } | { ok: false; path: PropertyKey[] };

function parsedAs(schema: typeof fileSchema | typeof claudeSchema, text: string): Parsed {
  try {
    const read = schema.safeParse(JSON.parse(text));
    if (read.success) return { ok: true, value: { projects: {}, ...read.data } };
    return { ok: false, path: read.error.issues[0]?.path ?? [] };
  } catch {
    return { ok: false, path: [] }; // the scanner finds the line
  }
}

type Text = { place: ServerPlace; file: string; text: string; root: string | undefined };

/** Of Claude Code's file those of this project come first. */
function givenOf({ mcpServers, projects }: z.infer<typeof claudeSchema>, { place, file, text, root }: Text): GivenServers[] {
  const line = linesOf(() => text);
  const here = root !== undefined && Object.hasOwn(projects, root) ? projects[root]!.mcpServers : {};
  const ofProject = { place, file, servers: here, line: (path: readonly PropertyKey[]) => line(["projects", root ?? "", ...path]) };
  return [ofProject, { place, file, servers: mcpServers, line }].filter((one) => Object.keys(one.servers).length > 0);
}
