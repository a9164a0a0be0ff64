// One request that fits the model's window: compacted before when that is nearly full, and once when the provider refuses it as too long.
import type { Agent } from "../agent.ts";
import type { ModelOutcome } from "../ports/model.ts";
import { cannotCompact, stillTooLong } from "../prompt.ts";
import { compact, isNearlyFull } from "./compaction.ts";

type Asking = {
  ask: () => Promise<ModelOutcome>;
  /** The provider has said so with its last reply. */
  full: boolean;
  signal: AbortSignal;
};

/** At most one compaction for each request: a conversation that is still too long ends with a fault that says so. */
export async function askWithinWindow(agent: Agent, { ask, full, signal }: Asking): Promise<ModelOutcome> {
  const cause = full ? "overflow" : isNearlyFull(agent) ? "nearly_full" : undefined;
  const early = cause && (await compact(agent, { cause, signal }));
  if (early?.kind === "aborted") return early;
  const outcome = await ask();
  if (!isOverflow(outcome)) return outcome;

  const compaction = early?.kind === "compacted" ? early : await compact(agent, { cause: "overflow", signal });
  if (compaction.kind === "aborted") return compaction;
  if (compaction.kind === "failed") return tooLong(cannotCompact(compaction.reason));
  if (compaction === early || !hasFreed(compaction)) return tooLong(stillTooLong(compaction));
  const again = await ask();
  return isOverflow(again) ? tooLong(stillTooLong(compaction)) : again;
}

/** A tenth at least: less is not worth another request that is refused. */
function hasFreed({ before, after }: { before: number; after: number }): boolean {
  return after < 0.9 * before;
}

function isOverflow(outcome: ModelOutcome): boolean {
  return outcome.kind === "fault" && outcome.fault.verdict === "overflow";
}

function tooLong(reason: string): ModelOutcome {
  return { kind: "fault", fault: { verdict: "overflow", reason } };
}
