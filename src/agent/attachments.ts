// Attaches files that a person names: after an @, or images and PDF files by their full path, as a terminal inserts it when a file is dragged in.
// They are read like a Read call of the agent, with the same rules and questions and without secrets. For a folder, the list of its files is
// attached.
import type { DeniedOnTheWay, ToolResult } from "../tools/tool.ts";
import type { Agent } from "./agent.ts";
import type { Input } from "./events.ts";
import { ownCall } from "./own-call.ts";

/**
 * The typed lines, each followed by the files that it names. A name without a file is left in the text; `notices` tells the person if it looked like
 * one. `denied`: what could not be attached for lack of a permission.
 */
export async function withAttachments(agent: Agent, typed: Input[], signal: AbortSignal): Promise<Attached> {
  const inputs: Input[] = [];
  const notices: string[] = [];
  const denied: Attached["denied"] = [];
  for (const { typed: byPerson, ...input } of typed) {
    inputs.push(input);
    const line = byPerson ?? typedBy(input);
    const all = [...mentions(line), ...dragged(line)];
    for (const named of all.slice(0, mostMentions)) {
      const found = await attached(agent, named, signal);
      if (typeof found === "string") notices.push(found);
      else if (found) {
        inputs.push(attachedInput(named, found));
        denied.push(...(found.result.denied ?? []).map((one) => ({ ...one, id: named.sign + named.path })));
      }
    }
    const rest = all.slice(mostMentions).map(({ sign, path }) => sign + path);
    if (rest.length > 0) notices.push(`At most ${mostMentions} files are attached to one line. Not attached: ${rest.join(", ")}.`);
  }
  return { inputs, notices, denied };
}

/** `id` of a denial: how the person named it. */
type Attached = { inputs: Input[]; notices: string[]; denied: (DeniedOnTheWay & { id: string })[] };

/** The name as the person wrote it. */
function typedBy({ source, text }: Input): string {
  return source.kind === "user" ? text : source.kind === "skill" ? source.arguments : "";
}

const mostMentions = 10;

/** `sign`: how the person named it. */
export type Named = { path: string; sign: "@" | "" };

/** Paths behind an @ that begins a word, without the punctuation of the sentence behind them; quoted ones as they are. */
export function mentions(text: string): Named[] {
  const quoted = [...text.matchAll(/(?:^|[\s(])@"([^"\n]+)"/g)].map(([, path = ""]) => path);
  const plain = [...text.matchAll(/(?:^|[\s("'`])@([^\s"'`]+)/g)].map(([, path = ""]) => path.replace(/[.,;:!?)\]}]+$/, ""));
  return [...new Set([...quoted, ...plain].filter(Boolean))].map((path) => ({ path, sign: "@" }));
}

const media = String.raw`\.(?:png|jpe?g|gif|webp|pdf)`;
const inQuotes = new RegExp(String.raw`(?:^|\s)(['"])((?:file://|~)?/[^'"\n]+${media})\1(?=\s|$)`, "gi");
const withoutQuotes = new RegExp(String.raw`(?:^|\s)((?:file://|~)?/(?:\\.|[^\s\\'"])+?${media})(?=[\s,;:!?)]|\.?(?:\s|$))`, "gi");

/** Full paths of images and PDF files as terminals insert them: in quotes, with backslashes before blanks, or as a URL. */
export function dragged(text: string): Named[] {
  const quoted = [...text.matchAll(inQuotes)].map(([, , path = ""]) => path);
  const plain = [...text.matchAll(withoutQuotes)].map(([, path = ""]) => path.replaceAll(/\\(.)/g, "$1"));
  return [...new Set([...quoted, ...plain].map(withoutScheme))].map((path) => ({ path, sign: "" }));
}

function withoutScheme(path: string): string {
  if (!path.startsWith("file://")) return path;
  try {
    return decodeURIComponent(path.slice("file://".length));
  } catch {
    return path.slice("file://".length);
  }
}

type Found = { read: string; result: ToolResult };

/** A path without an @ may be ordinary text: if there is no such file, nothing is asked. A returned text is shown to the user. */
async function attached(agent: Agent, { path, sign }: Named, signal: AbortSignal): Promise<Found | string | undefined> {
  const isAbsent = isWholePath(path) && agent.isThere?.(path) === false;
  if (sign === "" && isAbsent) return undefined;
  const resource = sign === "@" && path.includes(":") ? await agent.resource?.(path, signal) : undefined;
  if (resource) return { read: path, result: resource };
  const { file, read } = await readNamed(agent, { path, sign }, signal);
  // An alias of an import looks like a path that needs a permission, and none would help.
  const isDenied = file?.summary === "not allowed" && isAbsent && placeIn(path) === undefined;
  if (sign === "@" && (file?.summary === "not found" || isDenied)) {
    const [near] = /Did you mean .+\?$/.exec(file.text) ?? [];
    const isFile = near !== undefined || /[./]/.test(path); // any other word may name an agent
    if (isFile) return `@${path}: there is no such file, so nothing is attached.${near === undefined ? "" : ` ${near}`}`;
  }
  if (!file || file.summary === "not found") return undefined;
  const result = file.summary === "a folder" ? await ownCall(agent, { name: "Glob", raw: { pattern: "**", path }, signal }) : file;
  return result && { read, result };
}

const isWholePath = (path: string) => /^~?\//.test(path);

function attachedInput({ path, sign }: Named, { read, result }: Found): Input {
  const shown = `  ${sign}${path}  ${result.summary}`;
  const text = result.isError
    ? `The person named ${sign}${path}, which could not be attached: ${result.text}`
    : `${sign}${path}, attached by the person:\n${result.text}`;
  const { sources, media } = result;
  return { source: { kind: "file", path: read, ...(sources && { sources }) }, text, ...(media && { media }), shown };
}

/** `read`: the path of the file. A file whose own name ends like a place in another one is preferred. */
async function readNamed(agent: Agent, { path, sign }: Named, signal: AbortSignal) {
  const file = await ownCall(agent, { name: "Read", raw: { path }, signal });
  const part = sign === "@" && file?.summary === "not found" ? placeIn(path) : undefined;
  if (!part) return { file, read: path };
  const lines = await ownCall(agent, { name: "Read", raw: part, signal });
  return lines?.summary === "not found" ? { file, read: path } : { file: lines, read: part.path };
}

/** Lines before and after a single line that is named. */
const around = 50;

/** `a.ts:12-40` or `a.ts#L12-L40`, and for a compiler's `a.ts:12` or `a.ts:12:5` the lines around. */
export function placeIn(name: string): { path: string; offset: number; limit: number } | undefined {
  const [, path, from, to] = /^(.+?)(?::|#L)(\d+)(?:-L?(\d+)|:\d+)?$/.exec(name) ?? [];
  if (path === undefined) return undefined;
  const offset = to === undefined ? Math.max(1, Number(from) - around) : Number(from);
  return { path, offset, limit: (to === undefined ? Number(from) + around : Number(to)) - offset + 1 };
}
