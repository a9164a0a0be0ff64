// The retry budget that this process shares with all agents of its user that ask the same provider.
import { createHash } from "node:crypto";
import type { Clock } from "../agent/ports/clock.ts";
import { type OverloadDisk, sharedRetryBudget } from "../agent/requests/overload.ts";
import type { RetryBudget } from "../agent/requests/retry.ts";
import { projectName } from "../agent/session/transcript.ts";
import type { ProviderName } from "../settings/settings.ts";
import { addressVariables } from "./agent-model.ts";
import type { ModelChoice, World } from "./world.ts";

/** What tells one account at a provider from another. */
const accountVariables: Record<ProviderName, string[]> = {
  anthropic: ["ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY"],
  bedrock: ["AWS_BEARER_TOKEN_BEDROCK", "AWS_ACCESS_KEY_ID", "AWS_PROFILE"],
  vertex: ["ANTHROPIC_VERTEX_PROJECT_ID", "GOOGLE_CLOUD_PROJECT", "GOOGLE_APPLICATION_CREDENTIALS"],
};

/**
 * One file for each server and key in the configuration folder, because the use of one key says nothing about another. A script is never overloaded.
 */
export function retryBudgetOf(
  { configDir }: World,
  { env, script, cloud, baseURL }: ModelChoice,
  ports: { disk: OverloadDisk; clock: Clock; boot: string },
): RetryBudget | undefined {
  if (script !== undefined) return undefined;
  const server = baseURL ?? (env[addressVariables[cloud ?? "anthropic"]]?.trim() || cloud || "provider");
  const key = accountVariables[cloud ?? "anthropic"].map((name) => env[name]?.trim()).find(Boolean) ?? "";
  const account = createHash("sha256").update(key).digest("hex").slice(0, 8);
  return sharedRetryBudget({ ...ports, path: `${configDir}/overload-${projectName(server)}-${account}.json` });
}
