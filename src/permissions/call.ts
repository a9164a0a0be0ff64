// A tool call as the rules see it: the tool, and the files, command or address that it is about.
import { dirname, join } from "node:path";
import { withRepositoryFiles } from "../shell/uses/git-reach.ts";
import { analyseCommand } from "../shell/walk/analyse-command.ts";
import type { Analysis } from "../shell/words/analysis.ts";
import { alternativesOf } from "../shell/words/brace-expansion.ts";
import { harmlessDevice } from "../shell/words/paths.ts";
import type { Replaced, ToolResult } from "../tools/tool.ts";
import { errorText } from "../wording/error-text.ts";
import { absolute, asNamed, fromHome, onDisk, type Places } from "./paths/given-path.ts";
import type { Glob } from "./paths/glob-meets.ts";
import { linkedNames, withLinks } from "./paths/linked-names.ts";
import type { Scope } from "./policy.ts";
import { type PathTool, pathTools } from "./rules.ts";

export type Call = {
  /** Absent if the call does not come from a model. */
  id?: string;
  tool: string;
  input: unknown;
  /** The reason for which the call fails whatever the user answers, if there is one. */
  obstacle?: () => Promise<ToolResult | undefined>;
  /** What it does to the content of an existing file, if there is one. */
  replaces?: () => Promise<Replaced | undefined>;
  /** It is about a file that a command names. */
  named?: true;
  /** Set if it is about something that a command has left, rather than a write to come. */
  left?: LeftBehind;
  hook?: HookRuling;
  analysis?: Analysis;
};

/** `ask`: the user is asked, with this reason. `allow`: counts as a rule for the whole tool in that settings file. */
export type HookRuling = { ask?: { reason: string; file?: string }; allow?: { scope: Scope; file?: string } };

/** Something moved away from where a command left it, until somebody answers. */
export type LeftBehind = {
  kept: string;
  /** Its contents: lines that begin with `+`, and how many further lines there are. */
  lines: string[];
  more: number;
};

export type Access = "read" | "write";

/** `written`: the absolute path as given; `real`: links followed. `file`: no folder. `glob`: it stands for each file that matches. */
export type At = { written: string; real: string; links?: string[]; file?: true; glob?: Glob };

export type Subject =
  /** `others`: further places that it is about, each judged separately. */
  | ({ kind: "path"; access: Access; others?: At[] } & At)
  /** `files`: the target of each path that the command names, by its text in the analysis; a missing one could not be determined. */
  | {
      kind: "command";
      command: string;
      analysis: Analysis;
      files: ReadonlyMap<string, At>;
      /** Whether a path loses nothing: no file is there, or git has stored this version. Absent: not checked. */
      kept?: ReadonlyMap<string, boolean>;
    }
  /** `together`: with others that the same package manager needs. */
  | { kind: "host"; host: string; url: string; together?: string[] }
  /** An agent or a skill. */
  | { kind: "agent"; name: string }
  | { kind: "none" }
  /** The call does not say what it is about, or that cannot be determined; the reason continues a sentence. */
  | { kind: "unclear"; reason: string };

export type LocatedCall = Call & { subject: Subject };

/** `access`: absent, as for writing. */
export type Real = (path: string, access?: Access) => Promise<string>;

/** Determines what a call is about. `real` follows links on the disk; the decision itself does not use the disk. */
export async function locate(call: Call, places: Places, real: Real): Promise<LocatedCall> {
  return { ...call, subject: await subjectOf(call, places, (path, access) => real(onDisk(path, places, access))) };
}

async function subjectOf(call: Call, places: Places, real: Real): Promise<Subject> {
  if (call.tool === "Bash") {
    const command = field(call, "command");
    return command === undefined
      ? unclear("it has no command")
      : commandSubject(call.analysis?.text === command ? call.analysis : analyseCommand(command), places, real);
  }
  if (call.tool === "WebFetch") return hostSubject(field(call, "url"));
  if (call.tool === "Network") return networkSubject(call.input as NetworkInput);
  if (call.tool === "Agent") return { kind: "agent", name: field(call, "subagent_type") ?? "general" };
  if (call.tool === "Skill") return { kind: "agent", name: field(call, "name") ?? "" };
  if (call.tool === "Glob") return globSubject(call, places, real);
  const about = pathTools[call.tool];
  return about ? pathSubject(field(call, "path") ?? field(call, "file_path"), about, { places, real }) : { kind: "none" };
}

/** The text in this field of a call's input. */
export function field({ input }: Pick<Call, "input">, name: string): string | undefined {
  const value =
    typeof input === "object" && input !== null && Object.hasOwn(input, name) ? (input as Record<string, unknown>)[name] : undefined;
  return typeof value === "string" ? value : undefined;
}

/** What precedes its first special character is a folder, the rest must not lead up out of it. Braces make several patterns. */
async function globSubject(call: Call, places: Places, real: Real): Promise<Subject> {
  const pattern = (field(call, "pattern") ?? "").replaceAll(/\\(?=.)/gs, "");
  const patterns = alternativesOf(pattern);
  if (!patterns) return unclear("its braces cannot be parsed");
  const bases = patterns.map(baseOf);
  if (bases.includes(undefined)) return unclear("its pattern may lead out of its folder");
  const folder = field(call, "path") ?? ".";
  const paths = new Set(bases.map((base) => (base === "" ? folder : /^[/~]/.test(base!) ? base! : `${folder}/${base}`)));
  const found = await Promise.all([...paths].map((path) => pathSubject(path, { access: "read" }, { places, real })));
  const [first = unclear("it has no pattern"), ...others] = found;
  const missing = found.find(({ kind }) => kind === "unclear");
  if (missing || first.kind !== "path" || others.length === 0) return missing ?? first;
  return { ...first, others: others.flatMap((other) => (other.kind === "path" ? [{ written: other.written, real: other.real }] : [])) };
}

/** The folder that a pattern without braces begins in; undefined if it may leave that folder. */
function baseOf(pattern: string): string | undefined {
  const parts = pattern.split("/");
  const signed = parts.findIndex((part) => /[*?[\]{}()]/.test(part));
  const plain = signed === -1 ? parts : parts.slice(0, signed);
  if (parts.slice(plain.length).some((part) => /\.\.|\[\.\]/.test(part) && !/^[\w*-]+\.{2,}[\w*-]+$/.test(part))) return undefined;
  const base = plain.join("/");
  return base === "" && parts[0] === "" && parts.length > 1 ? "/" : base;
}

const unclear = (reason: string): Subject => ({ kind: "unclear", reason });

async function pathSubject(path: string | undefined, about: PathTool, at: { places: Places; real: Real }): Promise<Subject> {
  const { access, otherwise } = about;
  const given = path ?? otherwise;
  if (given === undefined) return unclear("it has no path");
  if (given.includes("\0")) return unclear("its path has a zero byte");
  const written = absolute(given, at.places);
  try {
    const place = withLinks({ written, real: await at.real(written, access) }, access, linkedNames(at.places));
    return { kind: "path", access, ...place, ...(about.file && { file: true }) };
  } catch (error) {
    const reason = errorText(error);
    return unclear(`where "${given.length > 200 ? `${given.slice(0, 200)}…` : given}" leads cannot be determined (${reason})`);
  }
}

async function commandSubject(given: Analysis, places: Places, real: Real): Promise<Subject> {
  const analysis = withRepositoryFiles(given, places);
  const named = new Map<string, Access>();
  for (const { path, access } of analysis.commands.flatMap((command) => command.files))
    if (path !== undefined && named.get(path) !== "write") named.set(path, access);
  const files = new Map<string, At>();
  const namesOf = linkedNames(places);
  for (const [path, access] of named) {
    try {
      const isDevice = harmlessDevice.test(path); // links in /proc, where each process has others
      const at = { written: absolute(path, places), real: isDevice ? path : await kernelPath(fromHome(path, places), places, real) };
      files.set(path, withLinks(at, access, namesOf));
    } catch {
      // Its target cannot be determined: a path missing from the map is never allowed.
    }
  }
  return { kind: "command", command: analysis.text, analysis, files };
}

/** As the kernel does: links before `..` are followed first, so `link/..` is above the link's target, under the name that commands use. */
export async function kernelPath(path: string, places: Places, real: Real): Promise<string> {
  if (path.length > mostPath) throw new Error("the path is too long");
  let at = "/";
  for (const part of path.split("/")) at = part === ".." ? dirname(asNamed(await real(at), places)) : join(at, part);
  return real(at);
}

/** PATH_MAX of Linux; no program can open a longer path by name. */
const mostPath = 4096;

/** A connection of a command in the sandbox: made by the proxy, not by a model. */
export type NetworkInput = { host: string; port: number; command?: string; together?: string[] };

function networkSubject({ host, port, together }: NetworkInput): Subject {
  const written = host.includes(":") ? `[${host}]` : host;
  return { kind: "host", host: written, url: `${written}:${port}`, ...(together && { together }) };
}

function hostSubject(url: string | undefined): Subject {
  if (url === undefined || !URL.canParse(url)) return unclear(url === undefined ? "it has no url" : `"${url}" is not an address`);
  const { protocol, hostname } = new URL(url);
  if (protocol !== "http:" && protocol !== "https:") return unclear(`"${url}" is neither http nor https`);
  return { kind: "host", host: hostname.replace(/\.+$/, ""), url };
}
