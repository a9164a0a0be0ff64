// The cost of an interrupted or lost reply: the provider charges for its prompt and for the text written so far.
import type { Agent } from "../agent.ts";
import type { PartialReply } from "../ports/model.ts";
import { estimateBytes } from "./tokens.ts";

/** Puts it into the transcript, so that totals and the budget count it. */
export function recordUnfinished(agent: Agent, { model, usage, streamedBytes }: PartialReply): void {
  const billed = { ...usage, output_tokens: Math.max(usage.output_tokens, estimateBytes(streamedBytes)) };
  const costUsd = agent.costUsd({ model, usage: billed });
  agent.emit({ type: "unfinished_reply", usage: billed, costUsd, model, at: agent.clock.now().toISOString() });
}
