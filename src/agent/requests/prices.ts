// The models that are known here: the provider's list prices, the size of each model's window, and how each can be told to think.
import { nearestName } from "../../wording/nearest-name.ts";
import type { Usage } from "../ports/model.ts";
import { promptTokens } from "../usage.ts";

/** Prices are dollars per million tokens. */
type KnownModel = {
  input: number;
  output: number;
  /** The price of a token read from the cache, as a fraction of an input token's; a tenth if absent. */
  cacheReadFactor?: number;
  /** Prices of every token of a request whose prompt has more tokens than this. */
  long?: { aboveTokens: number; input: number; output: number };
  /** The tokens of its window; 200,000 if absent. */
  window?: number;
  /** How many tokens a reply may have; 64,000 if absent. */
  mostOutput?: number;
  thinks?: ThinkingWay;
  /** Older models cost the same in every place of a cloud. */
  sameEverywhere?: true;
};

/**
 * `budgeted`: it thinks up to a number of tokens, and begins with a thought wherever it continues after results of its tools. The others decide
 * themselves, and this is what keeps them from thinking: `never` where nothing does, and `absent` where it thinks only when it is told to.
 */
export type ThinkingWay = "budgeted" | "never" | "absent" | "disabled" | "between_tools";

/** By model id without its date. */
export type Prices = Record<string, KnownModel>;

/**
 * Prices (standard tier) and windows as of 2026-11-10: https://platform.claude.com/docs/en/about-claude/pricing and …/build-with-claude/context-windows.
 * Thinking as of 2026-11-20: …/build-with-claude/thinking-troubleshooting
 */
export const listPrices: Prices = {
  "claude-fable-5-2": { input: 8, output: 40, cacheReadFactor: 0.025, thinks: "never", window: 1_000_000 },
  "claude-fable-5-1": { input: 10, output: 50, cacheReadFactor: 0.025, thinks: "never", window: 1_000_000 },
  "claude-fable-5": { input: 10, output: 50, thinks: "never", window: 1_000_000 },
  "claude-mythos-5-1": { input: 10, output: 50, cacheReadFactor: 0.025, thinks: "never", window: 1_000_000 },
  "claude-mythos-5": { input: 10, output: 50, thinks: "never", window: 1_000_000 },
  "claude-opus-5-5": { input: 4, output: 20, cacheReadFactor: 0.05, thinks: "never", window: 1_000_000 },
  "claude-opus-5": { input: 5, output: 25, thinks: "disabled", window: 1_000_000 },
  "claude-opus-4-8": { input: 5, output: 25, thinks: "absent", window: 1_000_000 },
  "claude-opus-4-7": { input: 5, output: 25, thinks: "absent", window: 1_000_000 },
  "claude-opus-4-6": { input: 5, output: 25, thinks: "absent", window: 1_000_000 },
  "claude-opus-4-5": { input: 5, output: 25, thinks: "budgeted" },
  "claude-opus-4-1": { input: 15, output: 75, thinks: "budgeted", mostOutput: 32_000, sameEverywhere: true },
  "claude-opus-4": { input: 15, output: 75, thinks: "budgeted", mostOutput: 32_000, sameEverywhere: true },
  "claude-sonnet-5-5": { input: 2, output: 10, cacheReadFactor: 0.05, thinks: "between_tools", window: 1_000_000 },
  "claude-sonnet-5": { input: 2, output: 10, thinks: "disabled", window: 1_000_000 },
  "claude-sonnet-4-6": { input: 3, output: 15, thinks: "absent", window: 1_000_000 },
  "claude-sonnet-4-5": { input: 3, output: 15, thinks: "budgeted" },
  "claude-sonnet-4": { input: 3, output: 15, thinks: "budgeted", sameEverywhere: true },
  "claude-haiku-5-5": {
    input: 0.1,
    output: 0.5,
    long: { aboveTokens: 100_000, input: 0.5, output: 2.5 },
    thinks: "disabled",
    window: 1_000_000,
  },
  "claude-haiku-4-5": { input: 1, output: 5, thinks: "budgeted" },
  scripted: { input: 0, output: 0, thinks: "absent" },
};

const defaultCacheReadFactor = 0.1;
/** A mark without a duration keeps for five minutes, which costs a quarter more than an input token. */
const cacheWriteFactor = 1.25;
/** At a cloud, a model that is bound to one place costs a tenth more than one that answers anywhere. */
const onePlaceFactor = 1.1;

/** Whether a budget in dollars can be kept with this model. */
export function hasPrice(model: string, prices: Prices = listPrices): boolean {
  return knownModel(model, prices) !== undefined;
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
  const price = knownModel(model, prices);
  if (!price) return null;
  const { input, output } = price.long && promptTokens(usage) > price.long.aboveTokens ? price.long : price;
  const inputTokens =
    usage.input_tokens +
    usage.cache_creation_input_tokens * cacheWriteFactor +
    usage.cache_read_input_tokens * (price.cacheReadFactor ?? defaultCacheReadFactor);
  const place = cloudPrefix.exec(model)?.[1] ?? "global";
  const factor = place === "global" || price.sameEverywhere ? 1 : onePlaceFactor;
  return (factor * (inputTokens * input + usage.output_tokens * output)) / 1_000_000;
}

/** The tokens of a model's window. A model that is not in the list is assumed to have 200,000. */
export function contextWindow(model: string): number {
  return /\[1m\]$/i.test(model) ? 1_000_000 : (knownModel(model)?.window ?? 200_000);
}

/** How many tokens a reply may have; undefined for a model that is not known here. */
export function mostOutput(model: string): number | undefined {
  const known = knownModel(model);
  return known && (known.mostOutput ?? 64_000);
}

/** The tier that a misspelled one was meant to be. Ids are not looked at: a provider may have any. */
export function tierMeant(name: string): string | undefined {
  if (!/^[a-z]+$/i.test(name) || knownModel(modelNamed(name))) return undefined;
  return nearestName(name, Object.keys(modelTiers));
}

/** The warning about a model that is not in the list; undefined for one that is. */
export function unknownModel(model: string): string | undefined {
  if (knownModel(model)) return undefined;
  const near = nearestName(model, Object.keys(listPrices));
  const meant = near ? `Did you mean ${near}?` : `Known are ${Object.keys(modelTiers).join(", ")} and ids such as ${modelTiers["opus"]}.`;
  return `"${model}" is not a model known here: its price and window are unknown, and the provider may refuse it. ${meant}`;
}

/** An id with a date or a platform's suffix means the model. */
export function knownModel(model: string, table: Prices = listPrices): KnownModel | undefined {
  const name = model.replace(cloudPrefix, "");
  if (Object.hasOwn(table, name)) return table[name]; // no other one of them is as long
  const known = Object.keys(table).filter((id) => name.startsWith(id) && sameModel.test(name.slice(id.length)));
  const longest = known.sort((a, b) => b.length - a.length)[0];
  return longest === undefined ? undefined : table[longest];
}

/** What clouds write before a model's id: an address, the place where it answers, the maker. */
const cloudPrefix = /^(?:arn:.*\/)?(?:(?!anthropic\.)([a-z][a-z0-9-]*)\.)?(?:anthropic\.)?(?=claude-)/;

/** The possible suffixes of a model's id: a date or a platform. A further version number means another model with another price. */
const sameModel = /^(?:-latest|[-@]\d{8}.*|\[.*|-v\d.*)?$/;
