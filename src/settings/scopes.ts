// Combines the settings of all scopes: rules are joined, for everything else the strongest scope applies, and a repository has only the
// power that trust gives it.

import { isAbsolute, join } from "node:path";
import { modesByStrictness, type PermissionMode, type Scope, scopes, type WrittenRule } from "../permissions/policy.ts";
import { type AgentLimits, agentModelNames, limitsIn } from "./agent-limits.ts";
import type { DriverCommands } from "./display-settings.ts";
import type { Effort } from "./effort.ts";
import { type Hook, hookText, type LeftOut, readHooks } from "./hook-settings.ts";
import type { ProgramEntry } from "./member-settings.ts";
import type { PlaceSettings } from "./place-settings.ts";
import { isHeldForGood } from "./repository-environment.ts";
import type { Forges, ProviderName, PullRequestSettings, Settings } from "./settings.ts";

/** `folder`: the base of its relative paths and of a leading single slash in patterns. */
export type ScopedSettings = { scope: Scope; file?: string; folder: string; settings: Settings };

/** What a repository's settings ask for and do not get; `neverGranted`: not even if it is trusted. */
export type Withheld = {
  kind: HeldKind;
  what: string;
  /** The value of a variable. */
  value?: string;
  file?: string;
  neverGranted: boolean;
};
export type HeldKind =
  | "allow rule"
  | "directory"
  | "mode"
  | "sandbox"
  | "secrets"
  | "variable"
  | "kept variable"
  | "model"
  | "API address"
  | "key helper"
  | "model script"
  | "hook"
  | "server"
  | "status command"
  | "display"
  | "place"
  | "forge"
  | "agents and skills"
  | "team"
  | "worktrees";

/** `shown` is the directory as written. */
export type Directory = { path: string; shown: string; scope: Scope; file?: string };

/** `file`: where it is defined; absent for the command line. */
/** `folder`: where a hook of a project runs and its patterns begin: at the project's root, wherever the session was started. */
export type SettingsHook = Hook & { scope: Scope; file?: string; folder?: string };

/** A setting by which an administrator or the command line may override the environment. */
export type Sourced = { value: string; scope: Scope };

export type Effective = {
  rules: { allow: WrittenRule[]; ask: WrittenRule[]; deny: WrittenRule[] };
  directories: Directory[];
  mode?: PermissionMode;
  /** The mode of the managed settings, which nobody can relax while a session runs. */
  managedMode?: PermissionMode;
  sandbox: NonNullable<Settings["sandbox"]>;
  secrets: NonNullable<Settings["secrets"]>;
  env: Record<string, string>;
  keepEnvironment: string[];
  model?: string;
  effort?: Effort;
  fallbackModel?: string;
  /** Never a repository's. */
  provider?: ProviderName;
  /** By the name that is used here; for each name that of the strongest scope, never a repository's. */
  modelIds: Readonly<Record<string, string>>;
  apiBaseUrl?: Sourced;
  apiKeyHelper?: Sourced;
  /** A path. */
  script?: string;
  /** The strongest scope's first. */
  hooks: SettingsHook[];
  /** Never a repository's. */
  display?: string;
  /** For each name that of the strongest scope; never a repository's. */
  displays: Readonly<Record<string, DriverCommands>>;
  /** For each name that of the strongest scope; never a repository's. */
  members: Readonly<Record<string, ProgramEntry>>;
  /** For each name that of the strongest scope; never a repository's. */
  places: Readonly<Record<string, PlaceSettings>>;
  /** For each host that of the strongest scope; never a repository's. */
  forges: Forges;
  /** Never a repository's. */
  pullRequests: PullRequestSettings;
  /** How many of the last lines of a successful command are shown. */
  outputLines?: number;
  /** Never a repository's. */
  notify?: NonNullable<Settings["notify"]>;
  /** Never a repository's. */
  notifyCommand?: string[];
  skills?: Settings["skills"];
  team?: Settings["team"];
  worktrees?: Settings["worktrees"];
  mcp?: Settings["mcp"];
  /** A trusted repository's counts only where the person has none. */
  statusCommand?: string;
  statusLine?: Settings["statusLine"];
  agents: AgentLimits;
  /** Replaces the default models of the built-in coordinator and worker. */
  agentModels?: { coordinator?: string; worker?: string };
  held: Withheld[];
};

export function mergeSettings(given: ScopedSettings[], trust: { trusted: boolean; home: string }): Effective {
  const judged = judgedSettings(given, trust.trusted);
  const first = <K extends keyof Settings>(key: K) => judged.map(({ settings }) => settings[key]).find((value) => value !== undefined);
  const rules = (kind: "allow" | "ask" | "deny") =>
    judged.flatMap(({ settings, ...source }) => (settings.permissions?.[kind] ?? []).map((text) => written(text, source)));
  const mode = strictestOf(judged, trust.trusted);
  const managedMode = judged.find(({ scope }) => scope === "managed")?.settings.permissions?.defaultMode;
  const sourced = (key: "apiBaseUrl" | "apiKeyHelper" | "script") =>
    judged.flatMap(({ settings, ...source }) => (settings[key] === undefined ? [] : { value: settings[key], ...source }))[0];
  const from = (key: "apiBaseUrl" | "apiKeyHelper") => {
    const found = sourced(key);
    return found && { value: found.value, scope: found.scope };
  };
  const script = sourced("script");
  const agents = limitsIn(given.toSorted(byStrength), isRepository);
  const optional = {
    agentModels: agentModelsOf(judged),
    model: first("model"),
    effort: first("effort"),
    fallbackModel: first("fallbackModel"),
    statusCommand:
      judged.find((one) => !isRepository(one.scope) && one.settings.statusCommand)?.settings.statusCommand ?? first("statusCommand"),
    statusLine: first("statusLine"),
    display: first("display"),
    outputLines: first("outputLines"),
    notify: first("notify"),
    notifyCommand: first("notifyCommand"),
    skills: first("skills"),
    team: first("team"),
    worktrees: first("worktrees"),
    mcp: first("mcp"),
    provider: first("provider"),
    apiBaseUrl: from("apiBaseUrl"),
    apiKeyHelper: from("apiKeyHelper"),
    script: script && pathFrom(script.value, script.folder, trust.home),
  };
  return {
    rules: { allow: rules("allow"), ask: rules("ask"), deny: rules("deny") },
    directories: judged.flatMap(({ settings, ...source }) =>
      (settings.permissions?.additionalDirectories ?? []).map((shown) => directory(shown, source, trust.home)),
    ),
    ...(mode && { mode }),
    ...(managedMode && { managedMode }),
    sandbox: sandboxOf(judged, trust.home),
    secrets: first("secrets") ?? "redact",
    env: Object.assign({}, ...judged.toReversed().map(({ settings }) => settings.env ?? {})),
    keepEnvironment: [...new Set(judged.flatMap(({ settings }) => settings.keepEnvironment ?? []))],
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
    hooks: judged.flatMap((one) => hooksOf(one)),
    displays: Object.assign({}, ...judged.toReversed().map(({ settings }) => settings.displays ?? {})),
    members: Object.assign({}, ...judged.toReversed().map(({ settings }) => settings.members ?? {})),
    places: Object.assign({}, ...judged.toReversed().map(({ settings }) => settings.places ?? {})),
    forges: Object.assign({}, ...judged.toReversed().map(({ settings }) => settings.forges ?? {})),
    modelIds: Object.assign({}, ...judged.toReversed().map(({ settings }) => settings.modelIds ?? {})),
    pullRequests: Object.assign({}, ...judged.toReversed().map(({ settings }) => settings.pullRequests ?? {})),
    agents: agents.limits,
    held: [
      ...judged.flatMap(({ held }) => held),
      ...agents.refused.map((refused) => ({ kind: "agents and skills", neverGranted: true, ...refused }) as const),
    ],
  };
}

/** The strongest scope first, each file with what counts of it and what is held back. */
export function judgedSettings(given: readonly ScopedSettings[], trusted: boolean): (ScopedSettings & { held: Withheld[] })[] {
  return given.toSorted(byStrength).map((one) => ({ ...one, ...(isRepository(one.scope) ? limited(one, trusted) : { held: [] }) }));
}

/** For sorting: the strongest first. */
export const byStrength = (a: ScopedSettings, b: ScopedSettings) => scopes.indexOf(a.scope) - scopes.indexOf(b.scope);

export const isRepository = (scope: Scope) => scope === "project" || scope === "local";

type Source = { scope: Scope; file?: string; folder: string };

function written(text: string, { scope, file, folder }: Source): WrittenRule {
  return { text, scope, folder, ...(file !== undefined && { file }) };
}

function directory(shown: string, { scope, file, folder }: Source, home: string): Directory {
  return { path: pathFrom(shown, folder, home), shown, scope, ...(file !== undefined && { file }) };
}

export function hooksOf({ settings, scope, file, folder }: ScopedSettings): SettingsHook[] {
  const place = { scope, ...(file !== undefined && { file }), ...(isRepository(scope) && { folder }) };
  return readHooks(settings.hooks).hooks.map((hook) => ({ ...hook, ...place }));
}

export type SettingsLeftOut = LeftOut & { scope: Scope; file?: string };

/** The entries that do not run because they cannot be understood. */
export function leftOutOf({ settings, scope, file }: ScopedSettings): SettingsLeftOut[] {
  return readHooks(settings.hooks).leftOut.map((left) => ({ ...left, scope, ...(file !== undefined && { file }) }));
}

/** Resolves a path as written in settings. */
function pathFrom(written: string, folder: string, home: string): string {
  if (written === "~" || written.startsWith("~/")) return join(home, written.slice(2));
  return isAbsolute(written) ? written : join(folder, written);
}

/** A repository's settings without those it may not decide, and the ones that were removed. */
function limited({ settings, file }: ScopedSettings, trusted: boolean): { settings: Settings; held: Withheld[] } {
  const held: Withheld[] = [];
  const hold = (kind: HeldKind, what: string, neverGranted = false) => {
    const value = kind === "variable" ? env[what] : undefined;
    if (neverGranted || !trusted)
      held.push({ kind, what, ...(value !== undefined && { value }), ...(file !== undefined && { file }), neverGranted });
    return !neverGranted && trusted;
  };
  const { permissions = {}, sandbox = {}, env = {}, ...rest } = settings;
  const { defaultMode, allow = [], additionalDirectories = [], ...restricting } = permissions;
  const keepMode =
    defaultMode &&
    (defaultMode === "bypassPermissions" ? hold("mode", defaultMode, true) : narrow(defaultMode) || hold("mode", defaultMode));
  const {
    model,
    effort,
    fallbackModel,
    secrets,
    keepEnvironment = [],
    provider,
    apiBaseUrl,
    apiKeyHelper,
    script,
    skills,
    team,
    worktrees,
    hooks,
    display,
    outputLines,
    notify,
    notifyCommand,
    agents = {},
    mcp = {},
    statusCommand,
    statusLine,
    theme,
  } = rest;
  const models = agentModelNames.filter((name) => agents[name] !== undefined && hold("model", `agents.${name}: ${agents[name]}`));
  for (const hook of readHooks(hooks).hooks) hold("hook", hookText(hook));
  const limits = Object.entries(mcp).filter(([name, value]) => hold("server", `mcp.${name}: ${value}`));
  const keepsStatus = statusCommand !== undefined && hold("status command", statusCommand);
  if (theme !== undefined) hold("display", `theme: ${theme}`, true);
  if (statusLine !== undefined) hold("status command", `statusLine: ${statusLine.join(", ")}`, true);
  if (provider !== undefined) hold("API address", `provider: ${provider}`, true);
  if (apiBaseUrl !== undefined) hold("API address", apiBaseUrl, true);
  if (apiKeyHelper !== undefined) hold("key helper", apiKeyHelper, true);
  if (script !== undefined) hold("model script", script, true);
  if (display !== undefined) hold("display", display, true);
  for (const [key, value] of Object.entries({ outputLines, notify })) if (value !== undefined) hold("display", `${key}: ${value}`, true);
  if (notifyCommand !== undefined) hold("display", `notifyCommand: ${notifyCommand.join(" ")}`, true);
  for (const [kind, what] of entriesOfPersons(rest)) hold(kind, what, true);
  return {
    settings: {
      permissions: {
        ...restricting,
        allow: allow.filter((rule) => hold("allow rule", rule)),
        additionalDirectories: additionalDirectories.filter((folder) => hold("directory", folder)),
        ...(keepMode && { defaultMode }),
      },
      sandbox: limitedSandbox(sandbox, hold),
      env: Object.fromEntries(Object.entries(env).filter(([name]) => hold("variable", name, isHeldForGood(name)))),
      keepEnvironment: keepEnvironment.filter((name) => hold("kept variable", name, isHeldForGood(name))),
      ...(model !== undefined && hold("model", model) && { model }),
      ...(effort !== undefined && hold("model", `effort: ${effort}`) && { effort }),
      ...(fallbackModel !== undefined && hold("model", `fallbackModel: ${fallbackModel}`) && { fallbackModel }),
      ...(models.length > 0 && { agents: Object.fromEntries(models.map((name) => [name, agents[name]])) }),
      ...(hooks && trusted && { hooks }),
      ...(keepsStatus && { statusCommand }),
      ...(skills?.promptBytes !== undefined && hold("agents and skills", `skills.promptBytes: ${skills.promptBytes}`) && { skills }),
      ...(team?.hungAfterMinutes !== undefined && hold("team", `team.hungAfterMinutes: ${team.hungAfterMinutes}`) && { team }),
      ...(worktrees?.ignoredFiles && hold("worktrees", `worktrees.ignoredFiles: ${worktrees.ignoredFiles}`) && { worktrees }),
      ...(limits.length > 0 && { mcp: Object.fromEntries(limits) }),
      ...(secrets && (secrets === "redact" || hold("secrets", secrets)) && { secrets }),
    },
    held,
  };
}

/** Entries by name that only the person's own settings may have. */
function entriesOfPersons({ displays, members, places, forges, pullRequests, modelIds }: Settings): [HeldKind, string][] {
  const listed = (kind: HeldKind, entries: object | undefined, prefix = "") =>
    Object.keys(entries ?? {}).map((name): [HeldKind, string] => [kind, `${prefix}${name}`]);
  return [
    ...listed("display", displays),
    ...listed("team", members, "members."),
    ...listed("place", places),
    ...listed("forge", forges, "forges."),
    ...listed("forge", pullRequests, "pullRequests."),
    ...listed("API address", modelIds, "modelIds."),
  ];
}

function agentModelsOf(strongestFirst: { settings: Settings }[]): Effective["agentModels"] | undefined {
  const first = (key: (typeof agentModelNames)[number]) =>
    strongestFirst.map(({ settings }) => settings.agents?.[key]).find((value) => value !== undefined);
  const [coordinator, worker] = [first("coordinatorModel"), first("workerModel")];
  if (coordinator === undefined && worker === undefined) return undefined;
  return { ...(coordinator !== undefined && { coordinator }), ...(worker !== undefined && { worker }) };
}

type Hold = (kind: HeldKind, what: string, neverGranted?: boolean) => boolean;

function limitedSandbox(
  { enabled, network, required, unixSockets, autoAllow }: NonNullable<Settings["sandbox"]>,
  hold: Hold,
): NonNullable<Settings["sandbox"]> {
  const keepEnabled = enabled === true || (enabled === false && hold("sandbox", "enabled: false", true));
  const keepNetwork = network === false || (network !== undefined && hold("sandbox", `network: ${JSON.stringify(network)}`, true));
  if (required !== undefined) hold("sandbox", `required: ${required}`, true); // a repository could block all work with it
  const opened = unixSockets === undefined || unixSockets === "none" ? [] : unixSockets;
  for (const path of opened) hold("sandbox", `unixSockets: ${path}`, true);
  if (autoAllow) hold("sandbox", "autoAllow: true", true);
  const narrowing = { ...(unixSockets === "none" && { unixSockets }), ...(autoAllow === false && { autoAllow }) };
  return { ...(keepEnabled && { enabled }), ...(keepNetwork && { network }), ...narrowing };
}

function sandboxOf(given: (Source & { settings: Settings })[], home: string): NonNullable<Settings["sandbox"]> {
  const first = (key: "enabled" | "network" | "required" | "autoAllow") =>
    given.map(({ settings }) => settings.sandbox?.[key]).find((value) => value !== undefined);
  const [enabled, network, required, autoAllow] = [first("enabled"), first("network"), first("required"), first("autoAllow")];
  const sockets = given.map(({ settings }) => settings.sandbox?.unixSockets);
  const opened = given.flatMap(({ folder }, at) => {
    const paths = sockets[at];
    return Array.isArray(paths) ? paths.map((path) => pathFrom(path, folder, home)) : [];
  });
  return {
    ...(enabled !== undefined && { enabled: enabled || required === true }),
    ...(network !== undefined && { network }),
    ...(required !== undefined && { required }),
    ...(sockets.includes("none") ? { unixSockets: "none" } : opened.length > 0 && { unixSockets: opened }),
    ...(autoAllow !== undefined && { autoAllow }),
  };
}

/** The modes before "default" only restrict. */
const strictness: PermissionMode[] = [...modesByStrictness];
const narrow = (mode: PermissionMode) => strictness.indexOf(mode) <= strictness.indexOf("default");

/** The strongest scope's mode; an untrusted repository's mode applies only if it is stricter. */
function strictestOf(given: (ScopedSettings & { held: Withheld[] })[], trusted: boolean): PermissionMode | undefined {
  const modes = given.flatMap(({ scope, settings }) => {
    const mode = settings.permissions?.defaultMode;
    return mode ? [{ mode, free: trusted || !isRepository(scope) }] : [];
  });
  const chosen = modes.find(({ free }) => free)?.mode;
  const asked = modes.filter(({ free }) => !free).map(({ mode }) => mode);
  if (chosen === undefined && asked.length === 0) return undefined;
  return [chosen ?? "default", ...asked].reduce((a, b) => (strictness.indexOf(b) < strictness.indexOf(a) ? b : a));
}
