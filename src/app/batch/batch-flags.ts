// The flags of `tool batch`, as commander parses them.
import { type AgentFlags, settingsFlags } from "../agent-flags.ts";
import type { World } from "../world.ts";

export type BatchFlags = AgentFlags & {
  yes?: boolean;
  planOnly?: boolean;
  /** A file with a plan, which replaces the planning. */
  plan?: string;
  json?: boolean;
  /** Start it although the same batch is running. */
  again?: boolean;
  concurrency?: number;
  /** `slurm:30,gpu:4`: where the hands of its units work. */
  places?: string;
  /** False with `--no-pr`. */
  pr: boolean;
  stack: "yes" | "no";
  /** The id of a batch to continue. */
  resume?: string;
  /** The id of a batch whose failed units are retried. */
  retry?: string;
  list?: boolean;
  gc?: boolean;
};

/** The flags that also apply to a unit's agent. */
export function agentFlags(flags: AgentFlags): AgentFlags {
  return { ...settingsFlags(flags), maxTurns: flags.maxTurns };
}

/** Whether a person can answer here. */
export const isAttended = ({ stdin, stdout }: World, { json }: Pick<BatchFlags, "json">): boolean =>
  stdin.isTTY === true && stdout.isTTY && !json;
