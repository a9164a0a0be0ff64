// The flags of `tool batch`, as commander has read them.
import type { AgentFlags } from "../agent-flags.ts";
import type { World } from "../world.ts";

export type BatchFlags = AgentFlags & {
  yes?: boolean;
  planOnly?: boolean;
  /** A file with a plan; nothing is researched then. */
  plan?: string;
  json?: boolean;
  concurrency?: number;
  /** False with `--no-pr`. */
  pr: boolean;
  stack: "yes" | "no";
  /** The id of a batch to continue with. */
  resume?: string;
  /** The id of a batch whose failed units are to be tried again. */
  retry?: string;
  list?: boolean;
  gc?: boolean;
};

/** Those of the flags that a unit's agent has too. */
export function agentFlags(flags: AgentFlags): AgentFlags {
  const { model, effort, fallbackModel, permissionMode, allow, deny, addDir, settings, trust, script, maxTurns } = flags;
  return { model, effort, fallbackModel, permissionMode, allow, deny, addDir, settings, trust, script, maxTurns };
}

/** Whether somebody can answer here. */
export const isAttended = ({ stdin, stdout }: World, { json }: Pick<BatchFlags, "json">): boolean =>
  stdin.isTTY === true && stdout.isTTY && !json;
