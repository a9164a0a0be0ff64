// The hooks in the settings files: which of them run, and warnings about the others.
import { resolve } from "node:path";
import { scopes } from "../permissions/policy.ts";
import type { LoadedSettings } from "../settings/files.ts";
import { hookText } from "../settings/hook-settings.ts";
import { hooksOf, type SettingsHook } from "../settings/scopes.ts";
import { nearestName } from "../wording/nearest-name.ts";
import { type EventRow, events } from "./events.ts";

/** `held`: it belongs to a repository that is not trusted. */
export type ConfiguredHook = SettingsHook & { held: boolean; warning?: string };

/** In order of precedence. */
export function configuredHooks({ files, trust }: Pick<LoadedSettings, "files" | "trust">): ConfiguredHook[] {
  const sorted = files.toSorted((a, b) => scopes.indexOf(a.scope) - scopes.indexOf(b.scope));
  return sorted.flatMap(hooksOf).map((hook) => {
    const warning = oddIn(hook);
    const held = trust.state !== "trusted" && (hook.scope === "project" || hook.scope === "local");
    return { ...hook, held, ...(warning !== undefined && { warning }) };
  });
}

/** One sentence for each hook that does not run as written. */
export function hookWarnings(loaded: Pick<LoadedSettings, "files" | "trust">): string[] {
  return configuredHooks(loaded).flatMap(({ warning, file, ...hook }) =>
    warning === undefined ? [] : [`The hook ${hookText(hook)}${file === undefined ? "" : ` of ${file}`}: ${warning}.`],
  );
}

function oddIn({ event, matcher }: SettingsHook): string | undefined {
  if (!matcher) return undefined;
  const { matches }: EventRow = events[event];
  if (!matches) return `${event} has nothing that a matcher is compared with, so it never runs`;
  const { what, known } = matches;
  if (known.length === 0) return undefined;
  const unknown = matcher.find((name) => !known.includes(name) && !name.startsWith("mcp__"));
  if (unknown === undefined) return undefined;
  const near = nearestName(unknown, known);
  return `${what} is never "${unknown}"; ${near ? `did you mean "${near}"` : `known are ${known.join(", ")}`}`;
}

/** The file that a command starts with, if the command names it by a plain path; undefined for programs found on PATH and for shell syntax. */
export function namedProgram(command: string, { cwd, home, root }: { cwd: string; home: string; root: string }): string | undefined {
  const [word = ""] = command.trim().split(/\s/, 1);
  const path = word.replace(/^~(?=\/)/, home).replace(/^("?)\$(?:TOOL_PROJECT_DIR|\{TOOL_PROJECT_DIR\})\1(?=\/)/, root);
  return /^[\w./@+-]*\/[\w./@+-]+$/.test(path) ? resolve(cwd, path) : undefined;
}
