// The definition of an agent after it has been read, and the mistakes that were found in its file.

import type { PermissionMode } from "../../permissions/policy.ts";
import type { Effort } from "../../settings/effort.ts";
import type { Isolated } from "../isolated.ts";

/** Where definitions and skills are searched, nearest first. If two have the same name, the nearer one is used. */
export type DefinitionScope = "project" | "claude" | "user" | "built-in";

export type Definition = {
  name: string;
  /** What the agent is for; a model chooses by this text. */
  description: string;
  /** The body of the file: the agent's instructions. */
  prompt: string;
  /** Tools, optionally restricted, written as permission rules; absent: all tools of its parent. */
  tools?: readonly string[];
  disallowedTools: readonly string[];
  /** A tier, a model's id, or `inherit`. */
  model: string;
  maxTurns?: number;
  permissionMode?: PermissionMode;
  background: boolean;
  isolation?: Isolated;
  context: "fresh" | "fork";
  color?: string;
  skills: readonly string[];
  /** The only MCP servers that it gets, by name; absent: those of its parent. */
  mcpServers?: readonly string[];
  effort?: Effort;
  scope: DefinitionScope;
  /** Empty for a built-in definition. */
  file: string;
};

/** `error`: the definition cannot be used. `warning`: it can be used, but not exactly as written. */
export type Mistake = {
  level: "error" | "warning";
  file: string;
  /** 1-based. */
  line: number;
  /** What was found, as a sentence. */
  found: string;
  /** What to do about it, as a sentence. */
  action: string;
  /** The name that the definition would have. */
  agent?: string;
};

/** `definition` is absent if a mistake prevents its use. */
export type ReadDefinition = { definition?: Definition; mistakes: Mistake[] };

/** One line for a person, such as `agents/a.md:3: error: …`. */
export function mistakeLine({ level, file, line, found, action }: Mistake): string {
  return `${file}:${line}: ${level}: ${found} ${action}`;
}
