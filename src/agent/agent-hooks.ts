// The user's hooks, as the agent loop calls them.
import type { CompactionCause, Input } from "./events.ts";

/** `shown`: its input under all names that its arguments have, for a hook in this folder. */
export type CallThatRan = {
  id: string;
  tool: string;
  input: unknown;
  shown?: (cwd: string) => Record<string, unknown>;
  text: string;
  isError: boolean;
};

export interface AgentHooks {
  /**
   * Called before inputs enter the conversation. Returns the accepted inputs with what hooks add to them. `refused`: why typed input was refused, a
   * sentence.
   */
  inputs(inputs: Input[], signal: AbortSignal): Promise<{ inputs: Input[]; refused?: string }>;
  /** Text that the model reads after the result. */
  afterCall(call: CallThatRan, signal: AbortSignal): Promise<string | undefined>;
  /** Why the conversation is not compacted now: a sentence. */
  beforeCompaction(order: { cause: CompactionCause; focus: string | undefined }, signal: AbortSignal): Promise<string | undefined>;
  /** Why a hook has ended the turn since this was last asked. */
  stopped(): string | undefined;
  /** Work for an agent that is about to stop. `again`: it continues already because of a hook. */
  beforeStop(stop: { text: string; again: boolean }, signal: AbortSignal): Promise<Input | undefined>;
}
