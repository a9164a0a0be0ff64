// The description of the environment in the first message of a conversation. It differs between sessions, so it must not be in the part of a request
// that the provider caches.
import { join, relative } from "node:path";
import { denial } from "../../permissions/decision.ts";
import { containedBy, type PermissionMode, type Policy, type SandboxState } from "../../permissions/policy.ts";
import { showRule } from "../../permissions/rules.ts";
import type { Input } from "../events.ts";

/**
 * `refused`: no git is started in it, for this reason. `slow`: git did not answer in time. `bare`: the folder is no part of a working tree.
 * Paths are absolute.
 */
export type RepositoryFacts =
  | { kind: "none" | "slow" | "bare" }
  | { kind: "refused"; why: string }
  | { kind: "known"; branch: string; mainBranch: string | undefined; changes: { state: string; path: string }[]; commits: string[] };

export type Entry = { name: string; folder: boolean };

export type EnvironmentPorts = {
  repository(folder: string, options: { limitMs: number }): Promise<RepositoryFacts>;
  topLevel(folder: string): Entry[];
  /** Undefined until the first command finds out. */
  sandbox(): Promise<SandboxState | undefined>;
  platform: string;
  now(): Date;
  timeLimit(ms: number): AbortSignal;
};

/**
 * `commands`: whether this agent has any. `brief`: for a teammate, so that its first request stays below 10 KiB in the worst case.
 * `asksHosts`: a person is asked about the hosts that commands in the sandbox want.
 */
export type EnvironmentView = { policy: Policy; commands: boolean; brief: boolean; asksHosts?: boolean };

/** Longer than this, and the repository is described as slow. */
const limitMs = 1_500;

/** The whole text, with nothing in it that rules hide; secrets are still to be taken out. */
export async function environmentText({ policy, commands, brief, asksHosts }: EnvironmentView, ports: EnvironmentPorts): Promise<string> {
  const { cwd, directories } = policy;
  const caps = brief ? briefCaps : fullCaps;
  const isOpen = (path: string, file: boolean) =>
    denial("read", { written: path, real: path, ...(file && { file }) }, policy) === undefined;
  const [repository, sandbox] = await Promise.all([
    ports.repository(cwd, { limitMs }),
    commands ? within(ports.sandbox(), ports.timeLimit(limitMs)) : undefined,
  ]);
  const listed = (entry: Entry) => entry.name !== ".git" && isOpen(join(cwd, entry.name), !entry.folder);
  const entries = listText(ports.topLevel(cwd), {
    most: mostEntries,
    caps,
    shown: listed,
    text: ({ name, folder }) => (folder ? `${name}/` : name),
  });
  const changes = listText(repository.kind === "known" ? repository.changes : [], {
    most: mostChanges,
    caps,
    shown: ({ path }) => isOpen(path, true),
    text: ({ state, path }) => `${state.trim()} ${relative(cwd, path) || "."}`,
  });
  return environmentBlock([
    `Date: ${dateText(ports.now())}. System: ${systemName(ports.platform)}.${commands ? " Shell: bash." : ""}`,
    `Working directory: ${withoutControls(cwd)}`,
    ...(directories.length > 0 ? [`Further directories: ${listText(directories, { most: mostEntries, caps, text: String })}`] : []),
    ...repositoryLines(repository, changes, caps),
    `Top level: ${entries}`,
    permissionLine(policy, caps, commands ? commandsWords({ ...policy, sandbox: sandbox ?? policy.sandbox }) : undefined),
    ...(commands ? [sandboxLine(sandbox, policy, asksHosts)] : []),
    "[secret:NAME:N] stands for text that was taken out: leave it as it is. @path in what the person types names a file, attached below it.",
  ]);
}

/** Scripts for the scripted model, and tests, know the block by its first line. */
const environmentMark = "<environment>";

/** At the end of the conversation, so that what was sent before stays as it is, tools included. */
export function modeChanged(mode: PermissionMode, { submitsPlans }: { submitsPlans: boolean }): Input {
  const meaning = mode === "plan" && !submitsPlans ? planWithoutTool : modes[mode];
  const text = `The person changed the mode to ${mode}: ${meaning}.`;
  return { source: { kind: "harness", about: "mode" }, text, shown: "" };
}

function environmentBlock(lines: string[]): string {
  // a commit may say what ends the block
  const told = lines.map((line) => line.replaceAll(/<(?=\/?environment\b)/gi, "‹"));
  return [environmentMark, ...told, "As of the beginning of this session.", "</environment>"].join("\n");
}

const mostEntries = 60;
const mostChanges = 20;
const mostRules = 8;

/** In bytes: of a list, of one entry of it, and of what a commit says. */
type Caps = { list: number; name: number; commit: number };
const fullCaps: Caps = { list: 250, name: 100, commit: 70 };
const briefCaps: Caps = { list: 100, name: 48, commit: 42 };

/** Escapes a list entry, so that no name can change the structure of the block. */
function oneLine(text: string, longest: number): string {
  return beginningOf(withoutControls(text), longest);
}

const withoutControls = (text: string) => text.replaceAll(/\p{C}+/gu, "?");

/** `longest`: in bytes. */
function beginningOf(line: string, longest: number): string {
  if (bytesSent(line) <= longest) return line;
  let [kept, bytes] = ["", 0];
  for (const character of line) {
    bytes += bytesSent(character);
    if (bytes > longest) break;
    kept += character;
  }
  return `${kept}…`;
}

/** In a request, where quotes and backslashes are escaped. */
function bytesSent(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2;
}

type Listing<T> = { most: number; caps: Caps; shown?: (item: T) => boolean; text: (item: T) => string };

/** Reads no more items than it shows, because a folder or a list of changes may be very long. */
function listText<T>(items: T[], { most, caps, shown = () => true, text }: Listing<T>): string {
  const lines: string[] = [];
  let bytes = 0;
  for (const item of items) {
    if (!shown(item)) continue;
    const line = oneLine(text(item), caps.name);
    bytes += bytesSent(line) + 2;
    if (lines.length === most || bytes > caps.list) return `${lines.join(", ")}, and more`;
    lines.push(line);
  }
  return lines.join(", ") || "(nothing)";
}

function dateText(now: Date): string {
  const [year, month, day] = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, "0"));
  return `${year}-${month}-${day}`;
}

function systemName(platform: string): string {
  return { linux: "Linux", darwin: "macOS" }[platform] ?? platform;
}

function repositoryLines(repository: RepositoryFacts, changes: string, caps: Caps): string[] {
  switch (repository.kind) {
    case "none":
      return ["Not in a git repository."];
    case "bare":
      return ["In a git repository, outside a working tree."];
    case "slow":
      return ["In a git repository, whose status takes long to read."];
    case "refused":
      return [`In a git repository that is left alone: ${oneLine(repository.why, caps.name)}.`];
    case "known": {
      const { branch, mainBranch, commits } = repository;
      return [
        `Git: ${oneLine(branch, caps.name)}${mainBranch ? `; main branch: ${oneLine(mainBranch, caps.name)}` : ""}`,
        `Changed: ${changes}`,
        ...(commits.length > 0 ? [`Last commits: ${commits.map((commit) => oneLine(commit, caps.commit)).join(" | ")}`] : []),
      ];
    }
  }
}

const modes: Record<PermissionMode, string> = {
  default: "writing and the web are asked about",
  acceptEdits: "files inside are written without a question, the web is asked about",
  plan: "look only, and submit a plan before anything is changed",
  dontAsk: "what no rule allows is refused without a question",
  bypassPermissions: "nothing but fixed limits and deny rules stands in the way",
};

const planWithoutTool = "look only; end your turn with the plan, and the person lets you begin by changing the mode again";

/** Deny rules are only counted: their patterns are not shown to the model. */
function permissionLine({ mode, allow, ask, deny }: Policy, caps: Caps, ofCommands: string | undefined): string {
  const parts = [
    `Mode ${mode}: ${modes[mode]}`,
    ...(ofCommands === undefined ? [] : [ofCommands]),
    ...(allow.length > 0 ? [`allowed: ${listText(allow, { most: mostRules, caps, text: showRule })}`] : []),
    ...(ask.length + deny.length > 0 ? [`${ask.length} rules ask and ${deny.length} deny`] : []),
  ];
  return `${parts.join("; ")}.`;
}

/** Undefined in the modes that say it themselves. */
function commandsWords(policy: Policy): string | undefined {
  if (policy.mode === "bypassPermissions") return undefined;
  if (!containedBy(policy)) return policy.mode === "plan" || policy.mode === "dontAsk" ? undefined : "most commands are asked about too";
  return "commands run without a question but for those that want the network, another folder or a protected file, or lose what git does not have";
}

function sandboxLine(state: SandboxState | undefined, { network, mode }: Policy, asksHosts = false): string {
  const reach = network ? "run with network" : asksHosts ? "reach the hosts that the person allows" : "run without network";
  switch (state?.kind) {
    case "active":
      return `Sandbox: commands ${reach} and write in ${mode === "plan" ? "a private /tmp" : "the working directory and in a private /tmp"} alone. ${ownProcesses}`;
    case "off":
      return "Sandbox: off; commands run with the person's own rights.";
    case "missing":
    case "lost":
      return "Sandbox: none; commands run with the person's own rights, so more of them are asked about.";
    case "refused":
      return "Sandbox: none, and the settings require one: no command runs.";
    case undefined:
      return `Sandbox: where this machine has one, commands ${reach} and write in the working directory and in a private /tmp alone.`;
  }
}

const ownProcesses =
  "What a command leaves running with & ends with it, and none sees another's processes: servers need background: true, and KillBash ends them.";

/** An error is reported where the value is used. */
async function within<T>(promise: Promise<T> | undefined, limit: AbortSignal): Promise<T | undefined> {
  if (!promise) return undefined;
  return Promise.race([
    promise.catch(() => undefined),
    new Promise<undefined>((resolve) => limit.addEventListener("abort", () => resolve(undefined), { once: true })),
  ]);
}
