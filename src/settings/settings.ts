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

const texts = z.array(z.string());

const permissions = z.strictObject({
  allow: texts.optional(),
  ask: texts.optional(),
  deny: texts.optional(),
  defaultMode: z.enum(permissionModes).optional(),
  additionalDirectories: texts.optional(),
});

const sandbox = z.strictObject({
  enabled: z.boolean().optional(),
  network: z.boolean({ error: "true or false: the sandbox cannot open the network for single hosts" }).optional(),
  /** If there is no sandbox, no command runs. */
  required: z.boolean().optional(),
  /** Sockets that commands may use, or none at all, not even their own. */
  unixSockets: z.union([z.literal("none"), texts], { error: '"none" or a list of paths' }).optional(),
  /** Commands run without a question as long as they stay in the sandbox. */
  autoAllow: z.boolean().optional(),
});

const skills = z.strictObject({
  /** The bytes of every request that the list of skills may take. */
  promptBytes: wholeNumber({ least: 200, most: 100_000 }).optional(),
});

const team = z.strictObject({
  /** A teammate that works without an event for this long counts as hung; after twice as long its turn is interrupted. */
  hungAfterMinutes: wholeNumber({ least: 1, most: 10_080 }).optional(),
});

const worktrees = z.strictObject({
  /** How files that `.worktreeinclude` names get into the worktree of a unit. */
  ignoredFiles: z.enum(["copy", "link"]).optional(),
});

/** Keys with the type `unknown` here are validated by their users, and need trust like the others. */
const settings = z.strictObject({
  $schema: z.string().optional(),
  permissions: permissions.optional(),
  sandbox: sandbox.optional(),
  secrets: z.enum(["redact", "warn", "off"]).optional(),
  env: z.record(z.string(), z.string()).optional(),
  keepEnvironment: texts.optional(),
  model: z.string().optional(),
  /** How much the model thinks. */
  effort: z.enum(efforts).optional(),
  /** Answers if the model stays overloaded. */
  fallbackModel: z.string().min(1).optional(),
  apiBaseUrl: z.string().optional(),
  apiKeyHelper: z.string().optional(),
  script: z.string().optional(),
  hooks: hookSettings.optional(),
  /** Where a team is shown: a built-in display or one of `displays`. */
  display: z.string().min(1).optional(),
  /** Terminal programs of the user, by the name that --display takes. */
  displays: displaySettings.optional(),
  skills: skills.optional(),
  agents: agentSettings.optional(),
  team: team.optional(),
  worktrees: worktrees.optional(),
  mcpServers: z.record(z.string(), z.unknown()).optional(),
  statusCommand: z.string().optional(),
});

export type Settings = z.infer<typeof settings>;

/** Known keys without effect so far: their users are told. */
export const notSupportedYet = ["mcpServers", "statusCommand"] as const satisfies (keyof Settings)[];

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

const parts: Record<string, z.ZodObject> = { permissions, sandbox, agents: agentSettings, skills, team, worktrees };

function knownKeys(path: readonly PropertyKey[]): string[] {
  return Object.keys((parts[String(path[0])] ?? settings).shape).filter((key) => key !== "$schema");
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
