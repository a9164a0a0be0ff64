// What one agent may do: where it works, its rules, its mode, and what a person has granted it since it started.
import { type Grants, grants } from "./grants.ts";
import { type MadeFiles, madeFiles } from "./made-files.ts";
import type { Outliers } from "./outliers.ts";
import type { HiddenHistory } from "./paths/hidden-history.ts";
import { broadly, type PathPattern, type RulePlaces } from "./paths/path-rules.ts";
import { type ToolIgnore, toolIgnore } from "./paths/toolignore.ts";
import { parseRule, type Rule, showRule } from "./rules.ts";

export const permissionModes = ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] as const;
export type PermissionMode = (typeof permissionModes)[number];

/** Where a rule comes from, the strongest first. What a repository brings may restrict, and never lifts what is built in. */
export const scopes = ["managed", "command line", "local", "project", "user"] as const;
export type Scope = (typeof scopes)[number];

/**
 * What confines commands. `active`: files that must not be read are out of their sight. `off`: the person's choice. `missing`: this machine
 * has none. Under these rules count as written. `lost`: it should be there and is not, and a command may have left what runs outside it, so
 * only the person allows the next one. `refused`: there is none and settings require one, so no command runs. `why` is half a sentence.
 */
export type SandboxState = { kind: "active" | "off" } | { kind: "missing" | "lost" | "refused"; why: string };

/** What the trial run of a session's or team's first process found. `uncertain`: the trial did not end by itself. */
export type SandboxFinding = { kind: "works" } | { kind: "missing" | "uncertain"; why: string };

/** `file`: the settings file that it stands in; none for the command line. Without a scope it is the person's own. */
/** `said`: as it is written there, where that is not how `showRule` writes it. */
export type SettingsRule = Rule & { scope?: Scope; file?: string; said?: string };

/** Paths are real ones: links followed. It changes under those who read it, and by its PolicyStore alone. */
export type Policy = {
  readonly cwd: string;
  readonly home: string;
  /** This program's own folder, teams included: no agent writes there. */
  readonly configDir: string;
  /** Below it: where the whole of long outputs is kept for this agent to read. */
  readonly outputs?: string;
  /** Below it: this session's own folder for temporary files, where everything may be read and written. */
  readonly temporary?: string;
  /** The root of the person's tree, beside which the agent works in a worktree: it neither reads nor changes what is there. */
  readonly apartFrom?: string | undefined;
  /** Commands do not write the repository's own folder where that lies outside the working directory. */
  readonly repositoryFixed?: boolean | undefined;
  /** Other agents work in the same tree: git is not to change it under their hands unasked. */
  readonly sharedTree?: boolean | undefined;
  /** The same, where it is what commands in the sandbox have for /tmp. */
  readonly privateTmp?: string | undefined;
  /** Further folders that count as the working directory does. */
  readonly directories: string[];
  /** Whether a person trusts what the repository brings. */
  readonly trusted: boolean;
  readonly mode: PermissionMode;
  readonly allow: SettingsRule[];
  readonly ask: SettingsRule[];
  readonly deny: SettingsRule[];
  readonly ignore: ToolIgnore;
  readonly sandbox: SandboxState;
  /** The sandbox has it. */
  readonly network: boolean;
  /** Settings let commands reach sockets outside of it. */
  readonly openSockets: boolean;
  /** The person's settings allow everything that stays in the sandbox. */
  readonly autoAllow: boolean;
  /** By folder, where commands work: what git would start or look at there by itself, as `diff.external in the settings of /repo`. */
  readonly gitRuns: ReadonlyMap<string, string>;
  /** Names and addresses of the repositories that are configured where commands work. Absent: nobody has looked. */
  readonly remotes?: ReadonlySet<string>;
  /** Where the program of that name lies that commands would run. Absent: nobody has looked, and all are taken for the system's. */
  readonly programs?: ProgramPlaces;
  /** Undefined if there is too much to look through. Absent: nobody has looked, and there are none. */
  readonly outliers?: () => Outliers | undefined;
  /** Files in the history of the repositories that commands work in which rules hide, as seen from `cwd`. Absent: nothing was looked for. */
  readonly hiddenInGit?: HiddenHistory;
  /** The tools and uses of tools that the agent's definition names; absent: all. */
  readonly only?: Rule[];
  /** Real paths: the files that it was started to change. Writing another one is for a person to allow, each time. Absent: no such bounds. */
  readonly ownFiles?: readonly string[] | undefined;
  /** Whether git ignores an entry of a folder that leads to one of them. */
  readonly gitIgnores?: (path: string, kind: "file" | "folder") => boolean;
  /** What skills that are in use, and agents above this one, leave of that: a call passes each of them. */
  readonly narrowed: readonly Narrowing[];
  readonly grants: Grants;
  readonly made: MadeFiles;
};

/** `skill` or `agent`: who narrows. */
export type Narrowing = { only: Rule[] } & ({ skill: string } | { agent: string });

/** `within`: in a working directory, a repository or a temporary folder, where agents and repositories can put programs. */
export type ProgramPlaces = (program: string) => "within" | "elsewhere";

/** A rule as a person wrote it; `folder`: what a single slash at the beginning of its pattern stands for. */
export type WrittenRule = { text: string; scope: Scope; file?: string; folder?: string };

export type PolicyOrder = {
  cwd: string;
  home: string;
  configDir: string;
  outputs?: string;
  mode?: PermissionMode;
  /** Plain texts are those of the command line. */
  allow?: (string | WrittenRule)[];
  ask?: (string | WrittenRule)[];
  deny?: (string | WrittenRule)[];
  directories?: string[];
  /** The text of .toolignore, and the folder that it lies in. */
  toolignore?: { text: string; folder: string };
  /** Absent: no. */
  trusted?: boolean;
  temporary?: string;
  /** Absent: off. */
  sandbox?: SandboxState;
  /** Absent: the sandbox has none. */
  network?: boolean;
  openSockets?: boolean;
  /** Absent: rules and answers alone allow. */
  autoAllow?: boolean;
  /** What the agent's definition names as its tools. */
  tools?: string[];
};

/** The reason names the first rule that cannot be understood. */
export type MadePolicy = { ok: true; policy: Policy } | { ok: false; reason: string };

type Real = (path: string) => Promise<string>;

export async function makePolicy(order: PolicyOrder, real: Real): Promise<MadePolicy> {
  const [cwd, home, configDir] = await Promise.all([real(order.cwd), real(order.home), real(order.configDir)]);
  const directories = await Promise.all((order.directories ?? []).map(real));
  const places = { cwd, home, folder: cwd };
  const faults: string[] = [];
  const read = async (written: (string | WrittenRule)[] = []): Promise<SettingsRule[]> => {
    const rules = written.map((one) => (typeof one === "string" ? { text: one, scope: "command line" as const } : one));
    return (await Promise.all(rules.map((rule) => settingsRule(rule, places, { real, faults })))).flat();
  };
  const allow = await read(order.allow);
  const ask = await read(order.ask);
  const deny = await read(order.deny);
  // A name that is no tool gives nothing; it is for the definition's own check to say so.
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
      ignore: toolIgnore(
        order.toolignore && {
          ...order.toolignore,
          folder: await real(order.toolignore.folder),
        },
      ),
      trusted: order.trusted ?? false,
      sandbox: order.sandbox ?? { kind: "off" },
      network: order.network ?? false,
      openSockets: order.openSockets ?? false,
      autoAllow: order.autoAllow ?? false,
      gitRuns: new Map(),
      narrowed: [],
      ...(only && { only }),
      ...(order.outputs !== undefined && { outputs: await real(order.outputs) }),
      ...(order.temporary !== undefined && { temporary: await real(order.temporary) }),
      grants: grants(),
      made: madeFiles(),
    },
  };
}

/** The rules that these texts say, seen from where the policy works. A text that says none gives none. */
export function rulesIn(texts: readonly string[], { cwd, home }: Pick<Policy, "cwd" | "home">): Rule[] {
  return texts.flatMap((text) => {
    const parsed = parseRule(text, { cwd, home, folder: cwd });
    return parsed.ok ? [parsed.rule] : [];
  });
}

type Reading = { real: Real; faults: string[] };

async function settingsRule(written: WrittenRule, places: RulePlaces, { real, faults }: Reading): Promise<SettingsRule[]> {
  const { text, scope, file, folder } = written;
  const parsed = parseRule(text, folder === undefined ? places : { ...places, folder: await real(folder) });
  if (parsed.ok) {
    const said = text.trim();
    return [{ ...parsed.rule, scope, ...(file !== undefined && { file }), ...(said !== showRule(parsed.rule) && { said }) }];
  }
  faults.push(file === undefined ? parsed.reason : `${file}: ${parsed.reason}`);
  return [];
}

/** Where a pattern names a link, what the link leads to is meant as well; and a pattern for no certain folder, all that are worked in. */
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
  const target = await real(start).catch(() => start); // a ring of links leads nowhere
  return target === start ? [] : [{ ...pattern, base: target, pattern: rest === "" ? "/**" : `/${rest}` }];
}
