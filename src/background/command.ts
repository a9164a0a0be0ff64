// The record of one background command, as lists show it and commands.json stores it.
import { z } from "zod";

export const commandSchema = z.object({
  id: z.string(),
  /** The agent that started it. */
  agent: z.string(),
  /** With secrets redacted. */
  command: z.string(),
  state: z.enum(["running", "completed", "failed", "stopped"]),
  /** The exit code, if it exited by itself. */
  code: z.number().optional(),
  /** Why it failed, or who stopped it. */
  reason: z.string().optional(),
  startedAt: z.string(),
  endedAt: z.string().optional(),
  /** The file with its output; absent if it could not be made. */
  output: z.string().optional(),
  /** Whether the agent knows that it has ended. */
  told: z.boolean(),
});

export type CommandRecord = z.infer<typeof commandSchema>;

/** The reason of a command that was ended together with its session. */
export const sessionEnded = "the session ended";

/** For example `running`, `exit 1` or `failed: ended by SIGSEGV`. */
export function stateText({ state, code, reason }: Pick<CommandRecord, "state" | "code" | "reason">): string {
  if (state === "completed") return `exit ${code ?? 0}`;
  return reason === undefined ? state : `${state}: ${reason}`;
}

export function elapsedMs({ startedAt, endedAt }: Pick<CommandRecord, "startedAt" | "endedAt">, nowMs: number): number {
  return Math.max(0, (endedAt === undefined ? nowMs : Date.parse(endedAt)) - Date.parse(startedAt));
}
