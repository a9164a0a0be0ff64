// Which model answers an agent here: as its settings say, in which the flags stand as well, and at the provider that environment and settings name.
import { hasPrice, modelNamed } from "../agent/requests/prices.ts";
import type { Effective, Sourced } from "../settings/scopes.ts";
import { type ModelChoice, UsageError, type World } from "./world.ts";

export type AgentModel = {
  choice: ModelChoice;
  name: string;
  /** The answers come from this file and not from a model. */
  script: string | undefined;
};

/** The model when nobody says another. */
const defaultModel = "sonnet";

/** `paced`: a person watches, and scripted replies come at a pace that can be followed. */
export function agentModel(
  { env }: Pick<World, "env">,
  { model, script, apiBaseUrl, apiKeyHelper }: Effective,
  paced: boolean,
): AgentModel {
  const baseURL = instead(apiBaseUrl, env["ANTHROPIC_BASE_URL"]);
  const keyHelper = instead(apiKeyHelper, env["ANTHROPIC_API_KEY"] || env["ANTHROPIC_AUTH_TOKEN"]);
  const choice = { env, paced, ...(script !== undefined && { script }), ...(baseURL && { baseURL }), ...(keyHelper && { keyHelper }) };
  return { choice, name: script === undefined ? modelNamed(model ?? defaultModel) : "scripted", script };
}

/** Throws UsageError for a budget that could not be kept: one that is silently none would be worse. */
export function checkBudget(budgetUsd: number | undefined, model: string): void {
  if (budgetUsd === undefined || hasPrice(model)) return;
  throw new UsageError(
    `cannot keep a budget of $${budgetUsd}: the price of the model "${model}" is not known. Use --max-turns, or a model with a known price.`,
  );
}

/** What the environment says is for this run, and so comes before a person's own settings; what is managed or on the command line is not asked. */
function instead(setting: Sourced | undefined, own: string | undefined): string | undefined {
  if (!setting) return undefined;
  return setting.scope === "managed" || setting.scope === "command line" || !own?.trim() ? setting.value : undefined;
}
