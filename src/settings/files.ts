// Finds the settings files of every scope for one working directory, and computes the effective settings.

import { dirname, join, resolve } from "node:path";
import type { ConfiguredServers } from "../mcp/choose-servers.ts";
import type { PermissionMode, PolicyOrder, TreeCopy } from "../permissions/policy.ts";
import { errorText } from "../wording/error-text.ts";
import { utf8Text } from "../wording/utf8-text.ts";
import type { Effort } from "./effort.ts";
import { localSettings } from "./local-ignore.ts";
import { type Effective, mergeSettings, type ScopedSettings } from "./scopes.ts";
import { configuredServers, projectServers } from "./server-files.ts";
import { parseSettings, type ReadSettings, ruleFaults } from "./settings.ts";
import { oneLook, powerFiles, type Trust, type TrustDisk, trustIn } from "./trust.ts";

/** Settings from the command line. */
export type SettingsFlags = {
  allow?: string[];
  ask?: string[];
  deny?: string[];
  addDir?: string[];
  permissionMode?: PermissionMode;
  /** Additional settings files. */
  settings?: string[];
  model?: string;
  effort?: Effort;
  fallbackModel?: string;
  /** A script for the scripted model. */
  script?: string;
  /** Trust the repository for this run. */
  trust?: boolean;
  /** Of `trust`: the hash of all that it covers; absent: what is there now. */
  trusted?: string | undefined;
  /** Entries of MCP servers by name, from an editor that the person works in. */
  mcpServers?: Record<string, unknown>;
};

export type SettingsPlaces = {
  cwd: string;
  home: string;
  configDir: string;
  /**
   * The administrator's files: the strongest scope. The first is in a fixed place and may be missing; the others were named, and must
   * exist.
   */
  managed: string[];
  /** The root of the user's tree, if `cwd` is in a worktree of it: its current settings apply in the worktree. */
  tree?: string;
  /** The user's own folder in that tree, if patterns of the command line count from there. */
  from?: string;
};

export type LoadedSettings = {
  /** The folder of the project's settings and its .toolignore. */
  root: string;
  files: ScopedSettings[];
  effective: Effective;
  /** The MCP servers of all places. */
  servers: ConfiguredServers;
  toolignore?: { text: string; folder: string };
  /** For a worktree: its root, and that of the user's tree. */
  copy?: TreeCopy & { from?: string };
  trust: Trust;
  /** Hash of the content that the user would trust; undefined if that is too much. */
  hash: string | undefined;
  /** What was loaded, so that the files can be read again. */
  by: { places: SettingsPlaces; flags: SettingsFlags };
};

export type LoadResult = ({ ok: true } & LoadedSettings) | { ok: false; reason: string };

/** Any error in any file refuses the start: half of somebody's rules is not what they wrote. */
export function loadSettings(now: TrustDisk, places: SettingsPlaces, flags: SettingsFlags = {}): LoadResult {
  const disk = oneLook(now);
  const top = projectRoot(disk, places.cwd);
  const { tree: root = top } = places;
  const sources = sourcesOf({ root, top, ...places }, flags);
  const given = fromFlags(flags, places.cwd);
  const files: ScopedSettings[] = [given];
  const wrong = ruleFaults(given.settings).map(({ reason }) => `Cannot use ${reason}`);
  for (const { must, ...source } of sources) {
    const read = readFile(disk, source.file);
    if (read === undefined && must) wrong.push(`Cannot use the settings ${source.file}: there is no such file`);
    if (read && !read.ok) wrong.push(read.reason);
    if (read?.ok) files.push({ ...source, settings: read.settings });
  }
  if (wrong.length > 0) return { ok: false, reason: wrong.join("\n") };
  const ignored = readText(disk, join(root, ".toolignore"));
  if (!ignored.ok) return ignored;
  const { hash, files: powerful, excess } = powerFiles(disk, { root, configDir: places.configDir });
  if (flags.trust && flags.trusted === undefined && excess !== undefined) return { ok: false, reason: notCovered(root, excess) };
  const trust: Trust = isCovered(flags, hash) ? { state: "trusted" } : trustIn(disk, { configDir: places.configDir, root, hash });
  const trusted = trust.state === "trusted";
  const effective = mergeSettings(files, { trusted, home: places.home });
  const found = configuredServers(disk, { root, home: places.home, files, trusted });
  const toolignore = ignored.text === undefined ? {} : { toolignore: { text: ignored.text, folder: top } };
  return {
    ok: true,
    root,
    files,
    effective: withDefinitions({ ...effective, held: [...effective.held, ...found.held] }, powerful, trust),
    servers: found.configured,
    ...toolignore,
    ...(root !== top && { copy: { at: top, of: root, ...(places.from !== undefined && { from: places.from }) } }),
    trust,
    hash,
    by: { places, flags },
  };
}

/** Whether --trust covers what is there: only what can be told from what comes later. */
const isCovered = ({ trust, trusted }: SettingsFlags, hash: string | undefined) =>
  trust === true && hash !== undefined && (trusted ?? hash) === hash;

const notCovered = (root: string, excess: string) =>
  `Cannot use --trust for ${root}: ${excess}, so it could not be noticed if an agent changed what is trusted. Move away what agents do not need, or leave --trust out`;

/** Sizes and modification times of the files as a text, which changes when a file changes. Computed before every call. */
export function settingsMark(disk: TrustDisk, { root, by: { places, flags } }: LoadedSettings): string {
  const files = [...sourcesOf({ root, top: root, ...places }, flags).map(({ file }) => file), join(root, ".toolignore")];
  const markOf = (file: string) => {
    try {
      const size = disk.size(file);
      return size === undefined ? "none" : `${size} ${disk.changedAt(file)?.getTime()}`;
    } catch (error) {
      return errorText(error); // an unreadable file is a state of its own
    }
  };
  return files.map(markOf).join("\n");
}

/** Where a person's rules for one project are kept. In the home folder itself that is the person's own settings file. */
export function localRulesFile({ root, configDir }: { root: string; configDir: string }): string {
  const own = join(root, ".tool");
  return join(own, own === configDir ? "settings.json" : localSettings);
}

type SettingsSource = { scope: ScopedSettings["scope"]; file: string; folder: string; must?: true };

function sourcesOf(
  { root, top, cwd, from = cwd, home, configDir, managed }: SettingsPlaces & { root: string; top: string },
  { settings = [] }: SettingsFlags,
): SettingsSource[] {
  const own = join(root, ".tool");
  const repository: SettingsSource[] =
    own === configDir // the user works in the home folder itself: these are the user's own settings
      ? []
      : [
          { scope: "local", file: join(own, localSettings), folder: top },
          { scope: "project", file: join(own, "settings.json"), folder: top },
        ];
  return [
    ...managed.map((file, at): SettingsSource => ({ scope: "managed", file, folder: dirname(file), ...(at > 0 && { must: true }) })),
    ...settings.map((name): SettingsSource => ({ scope: "command line", file: resolve(from, name), folder: cwd, must: true })),
    ...repository,
    { scope: "user", file: join(configDir, "settings.json"), folder: home },
  ];
}

function fromFlags(
  { allow, ask, deny, addDir, permissionMode, model, effort, fallbackModel, script, mcpServers }: SettingsFlags,
  cwd: string,
): ScopedSettings {
  const permissions = {
    allow,
    ask,
    deny,
    ...(addDir && { additionalDirectories: addDir }),
    ...(permissionMode && { defaultMode: permissionMode }),
  };
  return {
    scope: "command line",
    folder: cwd,
    settings: {
      permissions,
      ...(model !== undefined && { model }),
      ...(effort !== undefined && { effort }),
      ...(fallbackModel !== undefined && { fallbackModel }),
      ...(script !== undefined && { script }),
      ...(mcpServers && { mcpServers }),
    },
  };
}

function readFile(disk: TrustDisk, file: string): ReadSettings | undefined {
  const read = readText(disk, file);
  if (!read.ok || read.text === undefined) return read.ok ? undefined : read;
  return parseSettings(read.text, file);
}

const maxBytes = 1024 * 1024;

function readText(disk: TrustDisk, file: string): { ok: true; text: string | undefined } | { ok: false; reason: string } {
  try {
    const bytes = disk.size(file);
    if (bytes === undefined) return { ok: true, text: undefined };
    if (bytes > maxBytes) return { ok: false, reason: `Cannot use ${file}: it is larger than 1 MB` };
    const found = disk.read(file);
    const read = found && utf8Text(found);
    return !read || read.ok ? { ok: true, text: read?.text } : { ok: false, reason: `Cannot use ${file}:${read.line}: ${read.reason}` };
  } catch (error) {
    return { ok: false, reason: `Cannot use ${file}: ${whyUnreadable(error)}` };
  }
}

function whyUnreadable(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EISDIR") return "it is a folder";
  if (code === "EACCES" || code === "EPERM") return "you may not read it";
  return errorText(error);
}

/** The top of the repository, or the working directory if there is none. */
export function projectRoot(disk: Pick<TrustDisk, "size">, cwd: string): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (disk.size(join(folder, ".git")) !== undefined) return folder;
    if (dirname(folder) === folder) return cwd;
  }
}

export function isInRepository(disk: Pick<TrustDisk, "size">, cwd: string): boolean {
  return disk.size(join(projectRoot(disk, cwd), ".git")) !== undefined;
}

/** Agents and skills that a repository defines outside its settings files. */
function withDefinitions(effective: Effective, files: string[], trust: Trust): Effective {
  if (trust.state === "trusted") return effective;
  const outside = files.filter((file) => file !== projectServers && !/^\.tool\/settings(\.local)?\.json$/.test(file));
  const brought = new Set(outside.map((file) => /^\.(?:tool|claude)\/skills\/[^/]+(?=\/)/.exec(file)?.[0] ?? file)); // a skill is a folder
  const held = [...brought].map((what) => ({ kind: "agents and skills", what, neverGranted: false }) as const);
  return { ...effective, held: [...effective.held, ...held] };
}

/** The policy that follows from the settings. */
export function policyOrder(loaded: LoadedSettings, { cwd, home, configDir }: Omit<SettingsPlaces, "managed">): PolicyOrder {
  const { rules, directories, mode, sandbox } = loaded.effective;
  const trusted = loaded.trust.state === "trusted";
  return {
    cwd,
    home,
    configDir,
    ...rules,
    trusted,
    directories: directories.map(({ path }) => path),
    ...(mode && { mode }),
    ...(loaded.toolignore && { toolignore: loaded.toolignore }),
    ...(loaded.copy && { copy: loaded.copy }),
    sandbox: { kind: sandbox.enabled === false ? "off" : "active" },
    network: sandbox.network === true,
    openSockets: Array.isArray(sandbox.unixSockets) && sandbox.unixSockets.length > 0,
    autoAllow: sandbox.autoAllow !== false,
  };
}

/** What is wrong with the entries of servers: one sentence each. */
export function serverMistakes({ servers }: Pick<LoadedSettings, "servers">): string[] {
  return [...servers.problems, ...servers.warnings];
}
