// Chooses the model of an agent: from its settings, which include the flags, at the provider that environment and settings name.
import { hasPrice, modelNamed, unknownModel } from "../agent/requests/prices.ts";
import { type Effort, effortProblem } from "../agent/requests/thinking.ts";
import type { Effective, Sourced } from "../settings/scopes.ts";
import type { ProviderName } from "../settings/settings.ts";
import { type ModelChoice, UsageError, type World } from "./world.ts";

export type AgentModel = {
  choice: ModelChoice;
  name: string;
  effort?: Effort;
  /** The model that answers while the chosen one is overloaded. */
  fallback?: string;
  /** The replies come from this file instead of a model. */
  script: string | undefined;
};

/** What a session is told that a script answers. */
export const scriptedModelName = "scripted";

/** The default model. */
const defaultModel = "sonnet";

/** `paced`: a person watches, so scripted replies are slowed down. */
export function agentModel(
  { env, configDir }: Pick<World, "env" | "configDir">,
  { model, effort, fallbackModel, script, provider = "anthropic", modelIds, apiBaseUrl, apiKeyHelper }: Effective,
  { paced = false }: { paced?: boolean } = {},
): AgentModel {
  const baseURL = overriding(apiBaseUrl, env[addressVariables[provider]]);
  const keyHelper = overriding(apiKeyHelper, env["ANTHROPIC_API_KEY"] || env["ANTHROPIC_AUTH_TOKEN"]);
  const keyFile = keyFileIn(configDir);
  const choice = {
    env,
    paced,
    keyFile,
    modelIds,
    ...(provider !== "anthropic" && { cloud: provider }),
    ...(script !== undefined && { script }),
    ...(baseURL && { baseURL }),
    ...(keyHelper && { keyHelper }),
  };
  const name = script === undefined ? modelNamed(model ?? defaultModel) : scriptedModelName;
  const fallback = script === undefined && fallbackModel !== undefined ? modelNamed(fallbackModel) : name;
  return { choice, name, ...(effort && { effort }), ...(fallback !== name && { fallback }), script };
}

/** The variables that name another address for a provider: those of its own SDK. */
export const addressVariables: Readonly<Record<ProviderName, string>> = {
  anthropic: "ANTHROPIC_BASE_URL",
  bedrock: "ANTHROPIC_BEDROCK_BASE_URL",
  vertex: "ANTHROPIC_VERTEX_BASE_URL",
};

/** The key that the person has stored; agents cannot reach that folder. */
export const keyFileIn = (configDir: string) => `${configDir}/key.json`;

/** Notices about the chosen model and effort. Users of a gateway or a cloud have their own names for models. */
export function modelNotices({ choice, name, effort, fallback, script }: AgentModel): string[] {
  const isElsewhere = choice.cloud !== undefined || choice.baseURL !== undefined || choice.env["ANTHROPIC_BASE_URL"];
  const unknown = script !== undefined || isElsewhere ? undefined : unknownModel(name);
  const unpriced = fallback === undefined || hasPrice(fallback) ? [] : [unpricedFallback(fallback)];
  const problem = effortProblem(name, effort);
  return [...[unknown, problem].flatMap((one) => one ?? []), ...unpriced];
}

/**
 * Throws UsageError if the chosen model could not answer, for instance because a key is missing: before a person is asked anything, and once instead
 * of in every agent.
 */
export async function checkModel(
  world: Pick<World, "env" | "configDir"> & { edges: Pick<World["edges"], "modelProblem"> },
  { effective }: { effective: Effective },
): Promise<void> {
  const problem = await world.edges.modelProblem(agentModel(world, effective).choice);
  if (problem) throw new UsageError(nothingStarted(problem));
}

/** After a problem of several lines it is a line of its own. */
export function nothingStarted(problem: string): string {
  return `${problem}${problem.includes("\n") ? "\n" : " "}Nothing was started.`;
}

/** Throws UsageError for a budget that cannot be enforced, because ignoring it silently would be worse. */
export function checkBudget(budgetUsd: number | undefined, { name, fallback }: Pick<AgentModel, "name" | "fallback">): void {
  if (budgetUsd === undefined) return;
  const problem = (which: string) => `cannot keep a budget of $${budgetUsd}: the price of the ${which} is not known.`;
  if (!hasPrice(name)) throw new UsageError(`${problem(`model "${name}"`)} Use --max-turns, or a model with a known price.`);
  if (fallback === undefined || hasPrice(fallback)) return;
  throw new UsageError(`${problem(`fallback model "${fallback}"`)} Name one with a known price, or none.`);
}

const unpricedFallback = (name: string) =>
  `The price of the fallback model "${name}" is not known: what it answers is counted in tokens and not in dollars.`;

/** The environment applies to this run and precedes a person's own settings; managed settings and flags precede both. */
function overriding(setting: Sourced | undefined, own: string | undefined): string | undefined {
  if (!setting) return undefined;
  return setting.scope === "managed" || setting.scope === "command line" || !own?.trim() ? setting.value : undefined;
}
