// The schema of a settings file, and the error messages for invalid ones.
import { z } from "zod";
import { permissionModes } from "../permissions/policy.ts";
import { parseRule } from "../permissions/rules.ts";
import { issueWords, ownMessage } from "../wording/issue-words.ts";
import { nearestName } from "../wording/nearest-name.ts";
import { agentSettings, wholeNumber } from "./agent-limits.ts";
import { displaySettings } from "./display-settings.ts";
import { efforts } from "./effort.ts";
import { hookSettings } from "./hook-settings.ts";
import { jsonPlaces } from "./json-places.ts";
import { memberSettings } from "./member-settings.ts";
import { placeSettings } from "./place-settings.ts";
import { group, type Setting, setting, settingsIn } from "./setting-meaning.ts";

const texts = z.array(z.string());
const themes = ["auto", "light", "dark", "ansi", "none"] as const;
const statusLineParts = ["state", "model", "mode", "sandbox", "window", "cost", "background"] as const;
const providers = ["anthropic", "bedrock", "vertex"] as const;
export type ProviderName = (typeof providers)[number];
const [restricts, trusted] = ["restricts", "trusted"] as const;

const permissions = group({
  allow: setting(texts, { help: "Calls that need no question", repository: [trusted] }),
  ask: setting(texts, { help: "Calls that are always asked about", repository: [restricts] }),
  deny: setting(texts, { help: "Calls that are refused, whatever else allows them", repository: [restricts] }),
  defaultMode: setting(z.enum(permissionModes), {
    help: "The permission mode of a new session",
    repository: [restricts, trusted],
    without: "default",
  }),
  additionalDirectories: setting(texts, { help: "Further folders to work in", repository: [trusted] }),
});

const sandbox = group({
  enabled: setting(z.boolean(), { help: "Run commands in the sandbox where there is one", repository: [restricts], without: true }),
  network: setting(
    z.boolean({ error: 'true or false. Single hosts are opened by rules in "permissions.allow", such as Network(example.com)' }),
    {
      help: "Open or close the network of commands altogether; without it hosts are asked about",
      repository: [restricts],
    },
  ),
  required: setting(z.boolean(), { help: "Run no command where there is no sandbox", repository: [], without: false }),
  unixSockets: setting(z.union([z.literal("none"), texts], { error: '"none" or a list of paths' }), {
    help: 'Sockets of yours that commands may use, or "none" for no sockets at all',
    repository: [restricts],
  }),
  autoAllow: setting(z.boolean(), {
    help: "Run commands without a question as long as they stay in the sandbox",
    repository: [restricts],
    without: true,
  }),
});

const skills = group({
  promptBytes: setting(wholeNumber({ least: 200, most: 100_000 }), {
    help: "The bytes of every request that the list of skills may take",
    repository: [trusted],
    without: 1_500,
  }),
});

const team = group({
  hungAfterMinutes: setting(wholeNumber({ least: 1, most: 10_080 }), {
    help: "A teammate that works without an event for this long counts as hung; after twice as long its turn is interrupted",
    repository: [trusted],
    without: 10,
  }),
});

const forgeKinds = ["github", "gitlab", "gitea", "forgejo"] as const;
const forges = z.record(
  z.string().regex(/^[a-z\d.-]+(:\d+)?$/, "a host in lower case, such as git.example.org, without https://"),
  z.enum(forgeKinds),
);
export type ForgeKind = (typeof forgeKinds)[number];
/** By host. */
export type Forges = Readonly<z.infer<typeof forges>>;

const pullRequests = group({
  draft: setting(z.boolean(), { help: "Open the pull requests of a batch as drafts", repository: [], without: false }),
  labels: setting(z.array(z.string().regex(/^[^,\n]+$/, "a label's name, without a comma")), {
    help: "The labels that the pull requests of a batch get",
    repository: [],
  }),
});
export type PullRequestSettings = { draft?: boolean | undefined; labels?: string[] | undefined };

const worktrees = group({
  ignoredFiles: setting(z.enum(["copy", "link"]), {
    help: "How files that .worktreeinclude names get into the worktree of a unit",
    repository: [trusted],
    without: "copy",
  }),
});

const mcp = group({
  startSeconds: setting(wholeNumber({ least: 1, most: 600 }), {
    help: "How long an MCP server may take to start and to list its tools",
    repository: [trusted],
    without: 10,
  }),
  callSeconds: setting(wholeNumber({ least: 1, most: 86_400 }), {
    help: "How long a call of a server's tool may take without progress",
    repository: [trusted],
    without: 60,
  }),
  promptTokens: setting(wholeNumber({ least: 0, most: 200_000 }), {
    help: "The tokens of every request that servers' tools may take; the others are found by searching",
    repository: [trusted],
    without: 2_000,
  }),
});

/** Keys with the type `unknown` here are validated by their users, and need trust like the others. */
const settings = z.strictObject({
  $schema: z.string().optional(),
  model: setting(z.string(), {
    help: "The model that answers, by its name or as opus, sonnet or haiku",
    repository: [trusted],
    without: "sonnet",
  }),
  effort: setting(z.enum(efforts), { help: "How much the model thinks", repository: [trusted] }),
  fallbackModel: setting(z.string().min(1), { help: "The model that answers while the first stays overloaded", repository: [trusted] }),
  provider: setting(z.enum(providers), {
    help: "Who runs the model: its maker, Amazon Bedrock or Vertex AI; docs/providers.md says more",
    repository: [],
    without: "anthropic",
  }),
  modelIds: setting(z.record(z.string(), z.string().min(1)), {
    help: "What your provider calls a model, by the name that is used here",
    repository: [],
  }),
  apiBaseUrl: setting(z.string(), {
    help: "The provider's address: any server that speaks the Messages API",
    repository: [],
    variables: ["ANTHROPIC_BASE_URL"],
  }),
  apiKeyHelper: setting(z.string(), {
    help: "A command that prints the provider's key, run without a shell",
    repository: [],
    variables: ["ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"],
  }),
  script: setting(z.string(), { help: "A script that answers instead of a model", repository: [] }),
  permissions,
  sandbox,
  secrets: setting(z.enum(["redact", "warn", "off"]), {
    help: "What happens to secrets in what a model is sent",
    repository: [restricts, trusted],
    without: "redact",
  }),
  env: setting(z.record(z.string(), z.string()), { help: "Variables of the environment for commands", repository: [trusted] }),
  keepEnvironment: setting(texts, { help: "Names of variables that commands get although they look secret", repository: [trusted] }),
  hooks: setting(hookSettings, { help: "Your programs that run at events of a session", repository: [trusted] }),
  display: setting(z.string().min(1), {
    help: "Where a team is shown: a built-in display or one of displays",
    repository: [],
    without: "auto",
    variables: ["TOOL_DISPLAY_MODE"],
  }),
  displays: setting(displaySettings, { help: "Terminal programs of yours, by the name that --display takes", repository: [] }),
  members: setting(memberSettings, {
    help: "Other programs of yours that may be members of a team, by the name that --teammate takes",
    repository: [],
  }),
  places: setting(placeSettings, { help: "Commands of yours that lead to other machines, for the hands of agents", repository: [] }),
  outputLines: setting(z.number().int().min(0).max(100), {
    help: "How many of the last lines of a successful command a session shows",
    repository: [],
    without: 5,
  }),
  notify: setting(z.enum(["off", "bell", "command"]), {
    help: "How you are told that somebody needs you: not at all, by the terminal's bell, or by notifyCommand",
    repository: [],
    without: "bell",
  }),
  notifyCommand: setting(texts.min(1), {
    help: "A program of yours and its arguments, run with a text as last argument when somebody needs you",
    repository: [],
  }),
  forges: setting(forges, { help: "Which forge a host is: github, gitlab, gitea or forgejo, by the host of a remote", repository: [] }),
  pullRequests,
  skills,
  agents: agentSettings.optional(),
  team,
  worktrees,
  mcpServers: setting(z.record(z.string(), z.unknown()), {
    help: "MCP servers: programs and addresses with tools for the model, by name",
    repository: [trusted],
  }),
  mcp,
  theme: setting(z.enum(themes), {
    help: "The colours of the screen: for a light or a dark background, the terminal's own 16, none, or as the terminal says",
    repository: [],
    without: "auto",
  }),
  statusCommand: setting(z.string().min(1), {
    help: "A command of yours that prints the status line: facts as JSON on its input, one line out",
    repository: [trusted],
  }),
  statusLine: setting(z.array(z.enum(statusLineParts)), {
    help: "What the built-in status line shows, in this order",
    repository: [],
  }),
});

/** Every setting, in the order in which people are shown them. */
export const allSettings = (): Setting[] => settingsIn(settings.shape);

export type Settings = z.infer<typeof settings>;

export type ReadSettings = { ok: true; settings: Settings } | { ok: false; reason: string };

/** `name` is the file's name for the user. The reason contains one line per error, with the file, the line, and what to write instead. */
export function parseSettings(text: string, name: string): ReadSettings {
  const scanned = jsonPlaces(text.replace(/^\uFEFF/, ""));
  if ("fault" in scanned) return wrong(`${name}:${scanned.fault.line}`, `it is not JSON: ${scanned.fault.reason}`);
  const { places } = scanned;
  const where = (path: readonly PropertyKey[]) => `${name}:${places.line(path)}`;
  if (places.repeated) return wrong(where(places.repeated), `"${String(places.repeated.at(-1))}" appears twice`);
  const read = readSettings(JSON.parse(text.replace(/^\uFEFF/, "")));
  if (read.ok) return read;
  return { ok: false, reason: read.faults.map(({ path, reason }) => sentence(where(path), reason)).join("\n") };
}

const wrong = (where: string, reason: string): ReadSettings => ({ ok: false, reason: sentence(where, reason) });

const sentence = (where: string, reason: string) => `Cannot use the settings ${where}: ${reason}`;

/** `path` leads to the invalid value. */
export type SettingsFault = { path: readonly PropertyKey[]; reason: string };

/** Validates parsed JSON. Reports all errors at once. */
export function readSettings(value: unknown): { ok: true; settings: Settings } | { ok: false; faults: SettingsFault[] } {
  const hidden = findKey(value, "__proto__");
  if (hidden) return { ok: false, faults: [{ path: hidden, reason: 'unknown key "__proto__"' }] };
  const parsed = settings.safeParse(value, { reportInput: true });
  const faults = [...(parsed.error?.issues ?? []).flatMap(faultsOf), ...ruleFaults(value)];
  return parsed.success && faults.length === 0 ? { ok: true, settings: parsed.data } : { ok: false, faults };
}

/** The permission rules that cannot be read. Checks only entries that are strings; others are reported elsewhere. */
export function ruleFaults(value: unknown): SettingsFault[] {
  const lists = z.object({ permissions: z.record(z.string(), z.unknown()) }).safeParse(value).data?.permissions ?? {};
  return (["deny", "ask", "allow"] as const).flatMap((kind) => {
    const list = lists[kind];
    return (Array.isArray(list) ? list : []).flatMap((text: unknown, index) => {
      const rule = typeof text === "string" ? parseRule(text) : undefined;
      return rule && !rule.ok ? [{ path: ["permissions", kind, index], reason: rule.reason.replace(/^Cannot use /, "") }] : [];
    });
  });
}

function faultsOf(issue: z.core.$ZodIssue): SettingsFault[] {
  const { path } = issue;
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => {
      const near = nearestName(key, knownKeys(path));
      const way = near ? `Did you mean "${near}"?` : `Known keys: ${knownKeys(path).join(", ")}`;
      return { path: [...path, key], reason: `unknown key "${key}"${path.length ? ` in "${path.join(".")}"` : ""}. ${way}` };
    });
  }
  const what = path.length ? `"${path.join(".")}"` : "the whole";
  // A message of the schemas above completes the sentence.
  const own = issue.code === "invalid_key" ? (issue.issues[0]?.message ?? "another name") : ownMessage(issue);
  const meant =
    issue.code === "invalid_value" && typeof issue.input === "string" ? nearestName(issue.input, issue.values.map(String)) : undefined;
  const advice = meant === undefined ? "" : `. Did you mean "${meant}"?`;
  return [{ path, reason: `${what} ${own === undefined ? issueWords(issue) : `must be ${own}`}${advice}` }];
}

function knownKeys(path: readonly PropertyKey[]): string[] {
  const part = path.length > 0 ? Object.entries(settings.shape).find(([key]) => key === path[0])?.[1] : undefined;
  const inner = part instanceof z.ZodOptional ? part.unwrap() : undefined;
  return Object.keys((inner instanceof z.ZodObject ? inner : settings).shape).filter((key) => key !== "$schema");
}

/** Finds a key that objects inherit, which other checks would overlook. */
function findKey(value: unknown, key: string, path: readonly PropertyKey[] = []): readonly PropertyKey[] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (Object.hasOwn(value, key)) return [...path, key];
  for (const [name, inner] of Object.entries(value)) {
    const found = findKey(inner, key, [...path, name]);
    if (found) return found;
  }
  return undefined;
}
