// What a batch is asked to do, and who answers its questions.
import type { Plan } from "../../batch/plan/plan.ts";
import type { ExitCode } from "../world.ts";
import type { Approval, Shown } from "./approve-plan.ts";
import type { BatchFlags } from "./batch-flags.ts";

export type BatchOrder = {
  instruction: string | undefined;
  flags: BatchFlags;
  /** Where the person is asked; absent if nobody can answer. */
  questions?: BatchQuestions;
  /** Stops the batch in a state from which it can continue. */
  signal?: AbortSignal;
  /** Its repository is removed at the end, for a demo. */
  isTemporary?: boolean;
};

export type BatchQuestions = {
  confirm(question: string): Promise<Confirmed>;
  approve(plan: Plan, shown: Shown): Promise<Approval>;
  /** Has the work done by sub-agents of a session. */
  subAgents(prompt: string): Promise<ExitCode>;
};

/** `left`: left without an answer, for instance with Ctrl-C. */
export type Confirmed = "yes" | "no" | "left";
