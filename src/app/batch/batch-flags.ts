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
  /** The id of a batch to go on with. */
  resume?: string;
};

/** Whether somebody can answer here. */
export const isAttended = ({ stdin, stdout }: World, { json }: Pick<BatchFlags, "json">): boolean =>
  stdin.isTTY === true && stdout.isTTY && !json;
