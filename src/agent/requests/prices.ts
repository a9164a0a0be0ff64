// The price of a reply, from the provider's list prices, and the size of each model's window.
import { nearestName } from "../../permissions/nearest-name.ts";
import type { Usage } from "../model.ts";

/** Dollars per million tokens. */
type Price = {
  input: number;
  output: number;
  /** The price of a token read from the cache, as a fraction of an input token's; a tenth if absent. */
  cacheReadFactor?: number;
  /** Prices of every token of a request whose prompt has more tokens than this. */
  long?: { aboveTokens: number; input: number; output: number };
};

/** By model id without its date. */
export type Prices = Record<string, Price>;

/** As of 2026-11-10, standard tier: https://platform.claude.com/docs/en/about-claude/pricing */
export const listPrices: Prices = {
  "claude-fable-5-2": { input: 8, output: 40, cacheReadFactor: 0.025 },
  "claude-fable-5-1": { input: 10, output: 50, cacheReadFactor: 0.025 },
  "claude-fable-5": { input: 10, output: 50 },
  "claude-mythos-5-1": { input: 10, output: 50, cacheReadFactor: 0.025 },
  "claude-mythos-5": { input: 10, output: 50 },
  "claude-opus-5-5": { input: 4, output: 20, cacheReadFactor: 0.05 },
  "claude-opus-5": { input: 5, output: 25 },
  "claude-opus-4-8": { input: 5, output: 25 },
  "claude-opus-4-7": { input: 5, output: 25 },
  "claude-opus-4-6": { input: 5, output: 25 },
  "claude-opus-4-5": { input: 5, output: 25 },
  "claude-opus-4-1": { input: 15, output: 75 },
  "claude-opus-4": { input: 15, output: 75 },
  "claude-sonnet-5-5": { input: 2, output: 10, cacheReadFactor: 0.05 },
  "claude-sonnet-5": { input: 2, output: 10 },
  "claude-sonnet-4-6": { input: 3, output: 15 },
  "claude-sonnet-4-5": { input: 3, output: 15 },
  "claude-sonnet-4": { input: 3, output: 15 },
  "claude-haiku-5-5": { input: 0.1, output: 0.5, long: { aboveTokens: 100_000, input: 0.5, output: 2.5 } },
  "claude-haiku-4-5": { input: 1, output: 5 },
  scripted: { input: 0, output: 0 },
};

const defaultCacheReadFactor = 0.1;
/** A mark without a duration keeps for five minutes, which costs a quarter more than an input token. */
const cacheWriteFactor = 1.25;

/** Whether a budget in dollars can be kept with this model. */
export function hasPrice(model: string, prices: Prices = listPrices): boolean {
  return entryOf(model, prices) !== undefined;
}

/** Names for a model by size or family, and the model that each means here. */
export const modelTiers: Record<string, string> = {
  haiku: "claude-haiku-5-5",
  sonnet: "claude-sonnet-5-5",
  opus: "claude-opus-5-5",
  small: "claude-haiku-5-5",
  medium: "claude-sonnet-5-5",
  large: "claude-opus-5-5",
};

/** Resolves a name to a model; every other name is a model's id. */
export function modelNamed(name: string): string {
  const tier = name.trim().toLowerCase();
  return Object.hasOwn(modelTiers, tier) ? modelTiers[tier]! : name.trim();
}

/** Dollars for one reply of `model`, as the provider names it; null when its price is not known, so that a guess is never shown as a sum. */
export function costUsd(model: string, usage: Usage, prices: Prices = listPrices): number | null {
  const price = entryOf(model, prices);
  if (!price) return null;
  const promptTokens = usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens;
  const { input, output } = price.long && promptTokens > price.long.aboveTokens ? price.long : price;
  const inputTokens =
    usage.input_tokens +
    usage.cache_creation_input_tokens * cacheWriteFactor +
    usage.cache_read_input_tokens * (price.cacheReadFactor ?? defaultCacheReadFactor);
  return (inputTokens * input + usage.output_tokens * output) / 1_000_000;
}

/** The tokens of a model's window. A model that is not in the list is assumed to have 200,000. */
export function contextWindow(model: string): number {
  return /\[1m\]$/i.test(model) ? 1_000_000 : (entryOf(model, windows) ?? 200_000);
}

/** How many tokens a reply may have; undefined for a model that is not known here. */
export function mostOutput(model: string): number | undefined {
  return entryOf(model, outputs) ?? (hasPrice(model) ? 64_000 : undefined);
}

/** Models with smaller windows than the others: https://platform.claude.com/docs/en/about-claude/models/overview */
const outputs: Record<string, number> = { "claude-opus-4-1": 32_000, "claude-opus-4": 32_000 };

/** The warning about a model that is not in the list; undefined for one that is. */
export function unknownModel(model: string): string | undefined {
  if (entryOf(model, listPrices)) return undefined;
  const near = nearestName(model, Object.keys(listPrices));
  const meant = near ? `Did you mean ${near}?` : `Known are ${Object.keys(modelTiers).join(", ")} and ids such as ${modelTiers["opus"]}.`;
  return `"${model}" is not a model known here: its price and window are unknown, and the provider may refuse it. ${meant}`;
}

/** As of 2026-11-10; the others hold 200,000: https://platform.claude.com/docs/en/build-with-claude/context-windows */
const windows: Record<string, number> = Object.fromEntries(
  [
    "claude-fable-5-2",
    "claude-fable-5-1",
    "claude-fable-5",
    "claude-mythos-5-1",
    "claude-mythos-5",
    "claude-opus-5-5",
    "claude-opus-5",
    "claude-opus-4-8",
    "claude-opus-4-7",
    "claude-opus-4-6",
    "claude-sonnet-5-5",
    "claude-sonnet-5",
    "claude-sonnet-4-6",
    "claude-haiku-5-5",
  ].map((id) => [id, 1_000_000]),
);

/** The entry of a table by model id: an id with a date or a platform's suffix matches the model. */
export function entryOf<T>(model: string, table: Record<string, T>): T | undefined {
  const known = Object.keys(table).filter((id) => model.startsWith(id) && sameModel.test(model.slice(id.length)));
  const longest = known.sort((a, b) => b.length - a.length)[0];
  return longest === undefined ? undefined : table[longest];
}

/** The possible suffixes of a model's id: a date or a platform. A further version number means another model with another price. */
const sameModel = /^(?:-latest|[-@]\d{8}.*|\[.*|-v\d.*)?$/;
