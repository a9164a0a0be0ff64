// The tokens of several replies together.
import type { Usage } from "./ports/model.ts";

export const noUsage: Usage = { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

export function addedUsage(one: Usage, other: Usage): Usage {
  return {
    input_tokens: one.input_tokens + other.input_tokens,
    output_tokens: one.output_tokens + other.output_tokens,
    cache_creation_input_tokens: one.cache_creation_input_tokens + other.cache_creation_input_tokens,
    cache_read_input_tokens: one.cache_read_input_tokens + other.cache_read_input_tokens,
  };
}

/** Those of the prompt, read from the cache or not. */
export function promptTokens({ input_tokens, cache_creation_input_tokens, cache_read_input_tokens }: Usage): number {
  return input_tokens + cache_creation_input_tokens + cache_read_input_tokens;
}

/** Those of the prompt and those of the reply. */
export const allTokens = (usage: Usage): number => promptTokens(usage) + usage.output_tokens;
