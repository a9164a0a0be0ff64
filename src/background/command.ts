// A command that runs in the background: as lists show it, and as it is kept in commands.json.
import { z } from "zod";

export const commandSchema = z.object({
  id: z.string(),
  /** Who started it. */
  agent: z.string(),
  /** Without its secrets. */
  command: z.string(),
  state: z.enum(["running", "completed", "failed", "stopped"]),
  /** How it exited by itself. */
  code: z.number().optional(),
  /** Why it failed, or who stopped it. */
  reason: z.string().optional(),
  startedAt: z.string(),
  endedAt: z.string().optional(),
  /** The file with its output; absent if none could be made. */
  output: z.string().optional(),
  /** The agent knows of its end. */
  told: z.boolean(),
});

export type CommandRecord = z.infer<typeof commandSchema>;

/** The reason of one that ended with its session. */
export const sessionEnded = "the session ended";

/** `running`, `exit 1`, `failed: ended by SIGSEGV`. */
export function stateText({ state, code, reason }: Pick<CommandRecord, "state" | "code" | "reason">): string {
  if (state === "completed") return `exit ${code ?? 0}`;
  return reason === undefined ? state : `${state}: ${reason}`;
}

export function elapsedMs({ startedAt, endedAt }: Pick<CommandRecord, "startedAt" | "endedAt">, nowMs: number): number {
  return Math.max(0, (endedAt === undefined ? nowMs : Date.parse(endedAt)) - Date.parse(startedAt));
}
