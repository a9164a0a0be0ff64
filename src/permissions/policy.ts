// What one agent may do: where it works, its rules, its mode, and what the user has granted it since it started.
import { isDeepStrictEqual } from "node:util";
import type { FoundOwnFolders } from "../agent/ports/own-folders-port.ts";
import type { Containment } from "../shell/uses/leaves-sandbox.ts";
import type { Outliers } from "./commands/command-decision.ts";
import { type MadeFiles, madeFiles } from "./commands/kept-files.ts";
import { type Grants, grants } from "./grants.ts";
import { broadly, type PathPattern, type RulePlaces } from "./paths/path-rules.ts";
import { homeFolder } from "./paths/places.ts";
import { type ToolIgnore, toolIgnore } from "./paths/toolignore.ts";
import { parseRule, type Rule, showRule } from "./rules.ts";

export const permissionModes = ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] as const;
export type PermissionMode = (typeof permissionModes)[number];
/** From the strictest. */
export const modesByStrictness = ["plan", "dontAsk", "default", "acceptEdits", "bypassPermissions"] as const satisfies PermissionMode[];

/** Where a rule comes from, the strongest first. A repository's rules may restrict, and never lift a built-in protection. */
export const scopes = ["managed", "command line", "local", "project", "user"] as const;
export type Scope = (typeof scopes)[number];

/**
 * What confines commands. `active`: hidden files are not visible to them. `off`: the user's choice. `missing`: this machine has none. In
 * these states rules count as written. `lost`: it should exist but does not, and a command may have left something that runs outside it, so
 * only the user allows the next one. `refused`: there is none and settings require one, so no command runs. `why` is half a sentence.
 */
export type SandboxState = { kind: "active" | "off" } | { kind: "missing" | "lost" | "refused"; why: string };

/** The result of the trial by a session's or team's first process. `uncertain`: the trial did not end by itself. */
export type SandboxFinding = { kind: "works" } | { kind: "missing" | "uncertain"; why: string };

/** `file`: where it stands; absent on the command line. Without a scope it is the user's own. `said`: as written, if shown otherwise. */
export type SettingsRule = Rule & { scope?: Scope; file?: string; said?: string };

/** `at`: the root of a worktree; `of`: the root of the user's tree that it is a copy of. */
export type TreeCopy = { at: string; of: string };

/** Paths are real ones, with links followed. Only its PolicyStore changes it, while others read it. */
export type Policy = Partial<FoundOwnFolders> & {
  readonly cwd: string;
  readonly home: string;
  /** This program's own folder, teams included: no agent writes there. */
  readonly configDir: string;
  /** The files and folders with the settings in force, wherever links lead. Absent: in their usual places. */
  readonly settingsFiles?: readonly string[];
  /** A folder below it: complete long outputs, which this agent may read. */
  readonly outputs?: string;
  /** A folder below it: this session's own temporary files, where everything may be read and written. */
  readonly temporary?: string;
  /** For an agent in a worktree: the root of the user's tree, which it neither reads nor changes. */
  readonly apartFrom?: string | undefined;
  /** For an agent in a worktree: what rules hide or ask for at one of the two places, they do at the other too. */
  readonly copy?: TreeCopy;
  /** The root of the repository around the working directory, if it is above that. Absent: not looked. */
  readonly repository?: string | undefined;
  /** The host to which git there, given these words, goes over ssh, as no proxy passes. Absent: not looked. */
  readonly overSsh?: (words: string[]) => string | undefined;
  /** Commands do not write the repository's own folder if it is outside the working directory. */
  readonly repositoryFixed?: boolean | undefined;
  /** Other agents work in the same tree, so git may change the tree only after a question. */
  readonly sharedTree?: boolean | undefined;
  /** The same folder, if commands in the sandbox see it as /tmp. */
  readonly privateTmp?: string | undefined;
  /** Whether something is there on the disk: a file that only the user's /tmp has is read from there. Absent: not looked. */
  readonly isThere?: (path: string) => boolean;
  readonly directories: string[];
  readonly trusted: boolean;
  readonly mode: PermissionMode;
  readonly allow: SettingsRule[];
  readonly ask: SettingsRule[];
  readonly deny: SettingsRule[];
  readonly ignore: ToolIgnore;
  readonly sandbox: SandboxState;
  readonly network: boolean;
  /** Commands in the sandbox reach the network through a proxy that asks for each host. */
  readonly proxied: boolean;
  /** Settings give commands access to sockets outside the sandbox. */
  readonly openSockets: boolean;
  /** Commands that stay in the sandbox need no rule; false in the home directory, and if the settings say that each command is asked about. */
  readonly autoAllow: boolean;
  /** By folder where commands work: a program that the repository makes git start, as `diff.external in the settings of /repo`. */
  readonly gitRuns: ReadonlyMap<string, string>;
  /** Whether git prints hidden files: by attributes that come before ours, or as objects that a command names. Absent: there are no hidden ones. */
  readonly showsHidden?: boolean | undefined;
  /** Where programs are that commands run by name. Absent: not checked, and all count as the system's. */
  readonly programs?: ProgramPlaces;
  /** Returns undefined if there is too much to search. Absent: not searched, and there are none. */
  readonly outliers?: () => Outliers | undefined;
  /** The tools and uses of tools that the agent's definition names; absent: all. */
  readonly only?: Rule[];
  /** Real paths of the files that it was started to change. Writing another one needs a question each time. Absent: no such limits. */
  readonly ownFiles?: readonly string[] | undefined;
  /** Whether git ignores an entry of a folder that contains one of them. */
  readonly gitIgnores?: (path: string, kind: "file" | "folder") => boolean;
  /** Limits of skills in use and of agents above this one: a call must pass each of them. */
  readonly narrowed: readonly Narrowing[];
  readonly grants: Grants;
  readonly made: MadeFiles;
};

/** `skill` or `agent`: the source of the limit. */
export type Narrowing = { only: Rule[] } & ({ skill: string } | { agent: string });

/** `within`: in a working directory, a repository or a temporary folder, where agents and repositories can put programs. `isMade`: one may be there by then. */
export type ProgramPlaces = (program: string, isMade?: (path: string) => boolean) => "within" | "elsewhere";

/** A rule as the user wrote it; `folder`: what a leading single slash of its pattern refers to. */
export type WrittenRule = { text: string; scope: Scope; file?: string; folder?: string };

/** Absent: no sandbox, no network, no open sockets, no trust; commands that stay in a sandbox are allowed. */
export type PolicyOrder = Pick<Policy, "cwd" | "home" | "configDir"> &
  Partial<Pick<Policy, Ordered>> & {
    /** Plain strings come from the command line. */
    allow?: (string | WrittenRule)[];
    ask?: (string | WrittenRule)[];
    deny?: (string | WrittenRule)[];
    toolignore?: { text: string; folder: string };
    /** `from`: the folder of the user's tree that patterns of the command line count from. */
    copy?: TreeCopy & { from?: string };
    tools?: string[];
  };

type Ordered = "outputs" | "mode" | "directories" | "trusted" | "temporary" | "sandbox" | "network" | "openSockets" | "autoAllow";

/** The reason names the first rule that cannot be parsed. */
export type MadePolicy = { ok: true; policy: Policy } | { ok: false; reason: string };

type Real = (path: string) => Promise<string>;

const patternOf = (rule: SettingsRule | undefined) => (rule?.kind === "path" ? rule.pattern : undefined);

export async function makePolicy(order: PolicyOrder, real: Real): Promise<MadePolicy> {
  const [cwd, home, configDir] = await Promise.all([real(order.cwd), real(order.home), real(order.configDir)]);
  const directories = await Promise.all((order.directories ?? []).map(real));
  const places = { cwd, home, folder: cwd };
  const faults: string[] = [];
  const read = async (written: (string | WrittenRule)[] = [], from = places): Promise<SettingsRule[]> => {
    const rules = written.map((one) => (typeof one === "string" ? { text: one, scope: "command line" as const } : one));
    return (await Promise.all(rules.map((rule) => settingsRule(rule, from, { real, faults })))).flat();
  };
  const started = order.copy?.from === undefined ? undefined : { ...places, cwd: await real(order.copy.from) };
  /** Patterns that count from the working directory forbid in the worktree what they forbid where the user wrote them, too. */
  const readForbidding = async (written: (string | WrittenRule)[] = []): Promise<SettingsRule[]> => {
    const rules = await read(written);
    const there = started ? await read(written, started) : [];
    return [...rules, ...there.filter((rule, at) => rule.kind === "path" && !isDeepStrictEqual(rule.pattern, patternOf(rules[at])))];
  };
  const allow = await read(order.allow);
  const ask = await readForbidding(order.ask);
  const deny = await readForbidding(order.deny);
  // The name of an unknown tool grants nothing; the check of definitions reports it.
  const only = order.tools && (await read(order.tools.filter((text) => parseRule(text).ok)));
  if (faults[0]) return { ok: false, reason: faults[0] };
  const forbidding = (rules: SettingsRule[]) => Promise.all(rules.map((rule) => withFurtherPlaces(rule, directories, real)));
  return {
    ok: true,
    policy: {
      cwd,
      home,
      configDir,
      directories,
      mode: order.mode ?? "default",
      allow,
      ask: await forbidding(ask),
      deny: await forbidding(deny),
      ignore: toolIgnore(order.toolignore && { ...order.toolignore, folder: await real(order.toolignore.folder) }),
      trusted: order.trusted ?? false,
      sandbox: order.sandbox ?? { kind: "off" },
      network: order.network ?? false,
      proxied: false,
      openSockets: order.openSockets ?? false,
      autoAllow: (order.autoAllow ?? true) && homeFolder({ cwd, home, directories }) === undefined,
      gitRuns: new Map(),
      narrowed: [],
      ...(only && { only }),
      ...(order.outputs !== undefined && { outputs: await real(order.outputs) }),
      ...(order.temporary !== undefined && { temporary: await real(order.temporary) }),
      ...(order.copy && { copy: { at: await real(order.copy.at), of: await real(order.copy.of) } }),
      grants: grants(),
      made: madeFiles(),
    },
  };
}

/** Parses these texts relative to where the policy works, leaving out those that are not rules. */
export function rulesIn(texts: readonly string[], { cwd, home }: Pick<Policy, "cwd" | "home">): Rule[] {
  return texts.flatMap((text) => {
    const parsed = parseRule(text, { cwd, home, folder: cwd });
    return parsed.ok ? [parsed.rule] : [];
  });
}

/** Where patterns begin: a project's at its root, wherever the session was started; all others in the working directory. */
export function placesOfRule(
  { scope, folder }: { scope: Scope; folder?: string | undefined },
  { cwd, home }: Pick<RulePlaces, "cwd" | "home">,
): RulePlaces {
  const own = folder ?? cwd;
  return { cwd: scope === "project" || scope === "local" ? own : cwd, home, folder: own };
}

type Reading = { real: Real; faults: string[] };

async function settingsRule(written: WrittenRule, places: RulePlaces, { real, faults }: Reading): Promise<SettingsRule[]> {
  const { text, scope, file, folder } = written;
  const parsed = parseRule(text, placesOfRule({ scope, folder: folder && (await real(folder)) }, places));
  if (parsed.ok) {
    const said = text.trim();
    return [{ ...parsed.rule, scope, ...(file !== undefined && { file }), ...(said !== showRule(parsed.rule) && { said }) }];
  }
  faults.push(file === undefined ? parsed.reason : `${file}: ${parsed.reason}`);
  return [];
}

/** If a pattern names a link, the link's target is covered too; a pattern without a fixed folder applies to all working directories. */
async function withFurtherPlaces(rule: SettingsRule, directories: string[], real: Real): Promise<SettingsRule> {
  if (rule.kind !== "path") return rule;
  const { pattern } = rule;
  const others = pattern.loose ? directories.map((base): PathPattern => ({ ...pattern, base })) : [];
  const led = await throughLinks(pattern, real);
  return { ...rule, broadly: [...rule.broadly, ...[...others, ...led].map(broadly)] };
}

async function throughLinks(pattern: PathPattern, real: Real): Promise<PathPattern[]> {
  const { start, rest } = pattern;
  if (rest === undefined) return [];
  const target = await real(start).catch(() => start); // a cycle of links leads nowhere
  return target === start ? [] : [{ ...pattern, base: target, pattern: rest === "" ? "/**" : `/${rest}` }];
}

/** What allows commands that stay in the sandbox without a question; undefined if nothing does, or if it is missing or incomplete. */
export function containedBy({ sandbox, network, openSockets, autoAllow, grants, proxied, overSsh }: Policy): Containment | undefined {
  if (sandbox.kind !== "active" || network || openSockets) return undefined;
  if (grants.sandbox) return { by: "grant", reason: "A person allowed everything that stays in the sandbox", proxied, overSsh };
  return autoAllow ? { by: "default", reason: "It stays in the sandbox", proxied, overSsh } : undefined;
}
