// The flags of every command that runs an agent, as commander has read them.
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
  script?: string;
  maxTurns?: number;
  budgetUsd?: number;
};

export const outputFormats = ["text", "json", "stream-json"] as const;
export type OutputFormat = (typeof outputFormats)[number];

/** Of a session for one agent. */
export type SessionFlags = AgentFlags & {
  print?: boolean;
  outputFormat: OutputFormat;
  schema?: boolean;
  continue?: boolean;
  /** An id or the beginning of one; `true` asks which. */
  resume?: string | true;
  /** The definition that the session works by. */
  agent?: string;
  /** The session on a screen ends by itself once nothing is left to do: a demo. */
  endWhenDone?: boolean;
  /** An agent of that session, which continues and may ask. */
  resumeAgent?: string;
};

/** Those of the flags that settings are made of. */
export function settingsFlags(flags: AgentFlags): SettingsFlags {
  const { allow, deny, permissionMode, addDir, settings, trust, model, effort, fallbackModel, script } = flags;
  return { allow, deny, permissionMode, addDir, settings, trust, model, effort, fallbackModel, script };
}
