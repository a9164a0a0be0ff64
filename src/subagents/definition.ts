// What an agent's definition is once it has been read, and what is said about a file that has something wrong in it.

import type { PermissionMode } from "../permissions/policy.ts";
import type { Effort } from "../settings/effort.ts";

/** Where definitions are looked for, the nearest first: of two with one name the nearer counts. */
export type DefinitionScope = "project" | "claude" | "user" | "built-in";

export type Definition = {
  name: string;
  /** What the agent is for: a model chooses by it. */
  description: string;
  /** The body of the file: the agent's instructions. */
  prompt: string;
  /** Tools and uses of tools, written as permission rules; absent: all that its parent has. */
  tools?: readonly string[];
  disallowedTools: readonly string[];
  /** A tier, a model's id, or `inherit`. */
  model: string;
  maxTurns?: number;
  permissionMode?: PermissionMode;
  background: boolean;
  isolation?: "worktree";
  context: "fresh" | "fork";
  color?: string;
  skills: readonly string[];
  effort?: Effort;
  scope: DefinitionScope;
  /** Empty for one that is built in. */
  file: string;
};

/** `error`: the definition cannot be used. `warning`: it is used, and not quite as it was written. */
export type Mistake = {
  level: "error" | "warning";
  file: string;
  /** Counted from 1. */
  line: number;
  /** What was found: a sentence. */
  found: string;
  /** What to do about it: a sentence. */
  action: string;
};

/** A definition is absent when a mistake prevents its use. */
export type ReadDefinition = { definition?: Definition; mistakes: Mistake[] };

/** One line for a person: `agents/a.md:3: error: …`. */
export function mistakeLine({ level, file, line, found, action }: Mistake): string {
  return `${file}:${line}: ${level}: ${found} ${action}`;
}
