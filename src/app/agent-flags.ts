// The flags of every command that runs an agent, as commander parses them.
import type { PermissionMode } from "../permissions/policy.ts";
import type { Effort } from "../settings/effort.ts";
import type { SettingsFlags } from "../settings/files.ts";

export type AgentFlags = {
  model?: string;
  effort?: Effort;
  fallbackModel?: string;
  permissionMode?: PermissionMode;
  allow: string[];
  deny: string[];
  addDir?: string[];
  settings?: string[];
  trust?: boolean;
  /** All that `trust` covers; no flag of a person. */
  trusted?: string | undefined;
  script?: string;
  maxTurns?: number;
  budgetUsd?: number;
};

export const outputFormats = ["text", "json", "stream-json"] as const;
export type OutputFormat = (typeof outputFormats)[number];

/** The flags of a session with one agent. */
export type SessionFlags = AgentFlags & {
  print?: boolean;
  outputFormat: OutputFormat;
  /** The same as the output format `json`. */
  json?: boolean;
  schema?: boolean;
  continue?: boolean;
  /** An id or its beginning; `true`: the person chooses from a list. */
  resume?: string | true;
  /** A name for the worktree, or `true`: the session works apart from the person's tree. */
  worktree?: string | true;
  /** The name of the place where its hands are. */
  place?: string;
  /** The definition that the session runs with. */
  agent?: string;
  /** A command: the session works on until it succeeds. */
  until?: string;
  /** The interactive session ends by itself when nothing is left to do; for demos. */
  endWhenDone?: boolean;
  /** An agent of that session, which is resumed and may ask the person. */
  resumeAgent?: string;
  /** Only a key is asked for, where there is none. */
  setupOnly?: boolean;
};

/** The flags that become settings. */
export function settingsFlags(flags: AgentFlags) {
  const { allow, deny, permissionMode, addDir, settings, trust, trusted, model, effort, fallbackModel, script } = flags;
  return { allow, deny, permissionMode, addDir, settings, trust, trusted, model, effort, fallbackModel, script } satisfies SettingsFlags;
}
