// Maps the end of an agent's run to its new state, the reason, and the text that its parent reads.
import type { Ended } from "../agent/loop.ts";
import { suspensionOf } from "../agent/session/suspension.ts";
import { maxTurnsReason } from "./prompt.ts";
import type { AgentRecord, EndedBy } from "./record.ts";

/** The reason that a run's signal is aborted with when a person or a limit ends the run. */
export class Halt {
  readonly state: "stopped" | "failed";
  readonly reason: string;

  constructor(state: "stopped" | "failed", reason: string) {
    this.state = state;
    this.reason = reason;
  }
}

/** `reason`: one or more sentences; absent if the agent completed. `missing`: permission rules that it waits for. `endedBy`: what ended its conversation early. */
export type Outcome = {
  state: "completed" | "failed" | "stopped" | "needs_permission";
  reason?: string;
  missing?: string[];
  endedBy?: EndedBy;
};

/** Pure. `turns`: all turns of the agent so far. `command`: the command that starts this program. */
export function outcomeOf(
  { ending }: Pick<Ended, "ending">,
  { record, turns, signal, command }: { record: AgentRecord; turns: number; signal: AbortSignal; command: string },
): Outcome {
  const suspension = suspensionOf(signal);
  if (suspension) {
    const reason = `${suspension.tool}: ${suspension.why} To answer: ${command} agents resume ${record.id}`;
    return { state: "needs_permission", reason, missing: suspension.missing };
  }
  if (signal.aborted) return signal.reason instanceof Halt ? { state: signal.reason.state, reason: signal.reason.reason } : stoppedWith;
  switch (ending.kind) {
    case "done":
      return { state: "completed" };
    case "max_turns":
      return {
        state: "failed",
        endedBy: ending.kind,
        reason: maxTurnsReason({ id: record.id, limit: turns, transcript: record.transcript, command }),
      };
    case "budget":
      return { state: "failed", endedBy: ending.kind, reason: `The budget of $${ending.limitUsd} is spent.` };
    case "repeats_itself":
    case "stopped_by_hook":
      return { state: "failed", endedBy: ending.kind, reason: ending.reason };
    case "fault":
      return { state: "failed", reason: ending.reason };
    case "aborted":
      return stoppedWith;
  }
}

const stoppedWith: Outcome = { state: "stopped", reason: "It was interrupted." };
