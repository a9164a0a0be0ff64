// The retry budget that this process shares with all agents of its user that ask the same provider.
import type { Clock } from "../agent/clock.ts";
import { type OverloadDisk, sharedRetryBudget } from "../agent/overload.ts";
import type { RetryBudget } from "../agent/retry.ts";
import { projectName } from "../agent/transcript.ts";
import type { ModelChoice, World } from "./world.ts";

/** One file for each server, below the configuration folder. A script is never overloaded. */
export function retryBudgetOf(
  { configDir }: World,
  { env, script, baseURL }: ModelChoice,
  { disk, clock }: { disk: OverloadDisk; clock: Clock },
): RetryBudget | undefined {
  if (script !== undefined) return undefined;
  const server = baseURL ?? (env["ANTHROPIC_BASE_URL"]?.trim() || "provider");
  return sharedRetryBudget({ disk, path: `${configDir}/overload-${projectName(server)}.json`, clock });
}
