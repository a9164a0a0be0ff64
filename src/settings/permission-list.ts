// Every rule, directory and mode that applies here, with the file that defines it: for `tool permissions` and the session's own list.
import { everythingInside, type Granted } from "../permissions/grants.ts";
import type { PathPattern } from "../permissions/paths/path-rules.ts";
import { placesOfRule, type SandboxState, type WrittenRule } from "../permissions/policy.ts";
import { parseRule } from "../permissions/rules.ts";
import { timeOfDay } from "../wording/figures.ts";
import type { LoadedSettings } from "./files.ts";
import { type TrustWord, trustWord, whyHeld } from "./trust.ts";

/** `means`: what a rule about files covers here, as an absolute pattern. */
export type ListedRule = { kind: "deny" | "ask" | "allow"; rule: string; means: string | null; scope: string; file: string | null };

export type PermissionList = {
  cwd: string;
  project: string;
  trust: TrustWord;
  mode: string;
  /** `enabled` and `network` are from the settings; `state` and `why` describe this machine. */
  sandbox: { enabled: boolean; network: boolean | "asked"; state: SandboxState["kind"]; why: string | null };
  rules: ListedRule[];
  /** Grants of the session that lists them; empty outside of one. */
  granted: readonly Granted[];
  /** `folder` as written; the first is the working directory. */
  directories: { folder: string; scope: string; file: string | null }[];
  /** Lines of .toolignore that contain a pattern. */
  toolignore: { file: string; patterns: number } | null;
  /** What the project's settings ask for and do not get. */
  held: { kind: string; what: string; file: string | null; until: "trusted" | "never" }[];
};

/** Facts that are not in the settings. */
type Here = { cwd: string; sandbox: SandboxState; granted?: readonly Granted[] };

export function permissionList(
  { effective, root, trust, toolignore, by }: LoadedSettings,
  { cwd, sandbox, granted = [] }: Here,
): PermissionList {
  const kinds = ["deny", "ask", "allow"] as const;
  const source = ({ scope, file = null }: { scope: string; file?: string | null }) => ({ scope, file });
  return {
    cwd,
    project: root,
    trust: trustWord(trust),
    mode: effective.mode ?? "default",
    sandbox: {
      enabled: effective.sandbox.enabled !== false,
      network: effective.sandbox.network ?? "asked",
      state: sandbox.kind,
      why: "why" in sandbox ? sandbox.why : null,
    },
    rules: kinds.flatMap((kind) =>
      effective.rules[kind].map((rule) => ({
        kind,
        rule: rule.text,
        means: meaningOf(rule, { cwd, home: by.places.home }),
        ...source(rule),
      })),
    ),
    granted,
    directories: [
      { folder: cwd, scope: "working directory", file: null },
      ...effective.directories.map((directory) => ({ folder: directory.path, ...source(directory) })),
    ],
    toolignore: toolignore ? { file: `${toolignore.folder}/.toolignore`, patterns: patternCount(toolignore.text) } : null,
    held: effective.held.map(({ kind, what, file = null, neverGranted }) => ({
      kind,
      what,
      file,
      until: neverGranted ? "never" : "trusted",
    })),
  };
}

function meaningOf(rule: WrittenRule, places: { cwd: string; home: string }): string | null {
  const parsed = parseRule(rule.text, placesOfRule(rule, places));
  return parsed.ok && parsed.rule.kind === "path" ? absolutePattern(parsed.rule.pattern) : null;
}

const patternCount = (text: string) => text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#")).length;

/** One line each, in the order in which rules are checked. `adding`: the command that adds a rule, as it is typed here. */
export function permissionLines(list: PermissionList, adding: string): string[] {
  const wide = Math.min(48, Math.max(0, ...list.rules.map(({ rule }) => rule.length)));
  const from = ({ scope, file }: { scope: string; file: string | null }) => file ?? scope;
  const rules = list.rules.flatMap((rule) => [
    `  ${rule.kind.padEnd(5)}  ${rule.rule.padEnd(wide)}  ${from(rule)}`,
    ...(rule.means === null || rule.rule.includes(`(${rule.means})`) ? [] : [`         here ${rule.means}`]),
  ]);
  const grants = list.granted.map((grant) => `  ${ruleWords(grant).padEnd(wide)}  ${grantWords(grant)}  /permissions remove ${grant.rule}`);
  const heldUntil = (until: "trusted" | "never") =>
    list.held.filter((item) => item.until === until).map(({ kind, what, file }) => `  ${kind}: ${what}${file === null ? "" : `  ${file}`}`);
  const [held, never] = [heldUntil("trusted"), heldUntil("never")];
  return [
    `Mode: ${list.mode}`,
    `Sandbox: ${sandboxWords(list.sandbox)}`,
    ...(rules.length > 0
      ? ["Rules: a deny anywhere wins, then ask, then the mode, then allow", ...rules]
      : [`No rules. To add one: ${adding} 'Bash(npm test)'`]),
    ...(grants.length > 0 ? ["Granted, each with the command that revokes it:", ...grants] : []),
    "Directories:",
    ...list.directories.map((directory) => `  ${directory.folder}  ${from(directory)}`),
    ...(list.toolignore ? [`Hidden from agents: ${list.toolignore.patterns} patterns in ${list.toolignore.file}`] : []),
    ...(list.trust !== "trusted" && held.length > 0 ? [`Held back, because this project ${whyHeld[list.trust]}:`, ...held] : []),
    ...(never.length > 0 ? ["Never has effect in a project's settings, trusted or not:", ...never] : []),
  ];
}

const ruleWords = ({ rule }: Granted) => (rule === everythingInside ? "x: everything that stays in the sandbox" : rule);

export function sandboxWords({ state, network, why }: Omit<PermissionList["sandbox"], "enabled">): string {
  switch (state) {
    case "active":
      return network === "asked" ? "on, hosts are asked about" : `on, network ${network ? "on" : "off"}`;
    case "off":
      return "off, so commands can do whatever you can";
    case "missing":
      return `on in the settings, not available here: ${why}. Allowed commands can do whatever you can`;
    case "lost":
      return `on in the settings, and cannot be used: ${why}. You are asked for every command`;
    case "refused":
      return `required by the settings, and cannot be used: ${why}. No command runs`;
  }
}

function grantWords({ kind, since, file, agent }: Granted): string {
  const asker = agent === undefined ? "" : `, asked by ${agent}`;
  const from = `${since === undefined ? "" : `, since ${timeOfDay(since)}`}${asker}`;
  return kind === "always" ? `always${from}${file === undefined ? "" : `  ${file}`}` : `this ${kind}${from}`;
}

/** What a pattern covers, in the absolute form of a rule: `//repo/src/**`. */
function absolutePattern({ base, pattern, loose }: PathPattern): string {
  const below = pattern.startsWith("/") ? pattern : `/${loose && !pattern.startsWith("**/") ? "**/" : ""}${pattern}`;
  return `/${base === "/" ? "" : base}${below}`;
}
