// The retry budget that this process shares with all agents of its user that ask the same provider.
import { createHash } from "node:crypto";
import type { Clock } from "../agent/ports/clock.ts";
import { type OverloadDisk, sharedRetryBudget } from "../agent/requests/overload.ts";
import type { RetryBudget } from "../agent/requests/retry.ts";
import { projectName } from "../agent/session/transcript.ts";
import type { ModelChoice, World } from "./world.ts";

/**
 * One file for each server and key in the configuration folder, because the use of one key says nothing about another. A script is never overloaded.
 */
export function retryBudgetOf(
  { configDir }: World,
  { env, script, baseURL }: ModelChoice,
  ports: { disk: OverloadDisk; clock: Clock; boot: string },
): RetryBudget | undefined {
  if (script !== undefined) return undefined;
  const server = baseURL ?? (env["ANTHROPIC_BASE_URL"]?.trim() || "provider");
  const key = env["ANTHROPIC_AUTH_TOKEN"]?.trim() || env["ANTHROPIC_API_KEY"]?.trim() || "";
  const account = createHash("sha256").update(key).digest("hex").slice(0, 8);
  return sharedRetryBudget({ ...ports, path: `${configDir}/overload-${projectName(server)}-${account}.json` });
}
