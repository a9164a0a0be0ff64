// What the models of both clouds have in common.
import type { ModelOutcome } from "../../../agent/ports/model.ts";

export type CloudOptions = {
  env: Record<string, string | undefined>;
  /** Instead of the cloud's own address. */
  baseURL?: string | undefined;
  /** The setting that the person is told to change. */
  baseURLFrom: string;
  /** From TOOL_API_VERSION: every model is asked with the older version of the API. */
  apiVersion?: string | undefined;
  idleTimeoutMs?: number;
};

/** What the first of these variables says that is set. */
export const firstOf = (env: CloudOptions["env"], names: readonly string[]) => env[namedIn(env, names) ?? ""]?.trim();

/** The first of these variables that is set. */
export const namedIn = (env: CloudOptions["env"], names: readonly string[]) => names.find((name) => env[name]?.trim());

export function addressProblem({ baseURL, baseURLFrom }: CloudOptions): string | undefined {
  if (!baseURL?.trim() || /^https?:\/\/[^/]/.test(baseURL.trim())) return undefined;
  return `${baseURLFrom} is "${baseURL}", which is not an http or https address.`;
}

/** A reply that came from one place, and not from anywhere in the world, costs more: its model is called `<place>.<model>`. */
export function fromPlace(outcome: ModelOutcome, place: string | undefined): ModelOutcome {
  if (place === undefined) return outcome;
  if (outcome.kind === "reply") return { ...outcome, model: `${place}.${outcome.model}` };
  return outcome.partial ? { ...outcome, partial: { ...outcome.partial, model: `${place}.${outcome.partial.model}` } } : outcome;
}
