// The user's hooks, as the agent loop calls them.
import type { CompactionCause, Input } from "./events.ts";

export type CallThatRan = { id: string; tool: string; input: unknown; text: string; isError: boolean };

export interface AgentHooks {
  /** Before inputs enter the conversation: those that may, and what hooks add to them. `refused`: why something typed may not, a sentence. */
  inputs(inputs: Input[], signal: AbortSignal): Promise<{ inputs: Input[]; refused?: string }>;
  /** What the model reads below the result. */
  afterCall(call: CallThatRan, signal: AbortSignal): Promise<string | undefined>;
  /** Why the conversation is not compacted now: a sentence. */
  beforeCompaction(order: { cause: CompactionCause; focus: string | undefined }, signal: AbortSignal): Promise<string | undefined>;
  /** What the agent is to do before it stops. `again`: it continues already because of a hook. */
  beforeStop(stop: { text: string; again: boolean }, signal: AbortSignal): Promise<Input | undefined>;
}
