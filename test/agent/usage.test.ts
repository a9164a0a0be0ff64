import { expect, it } from "vitest";
import { addedUsage, allTokens, noUsage, promptTokens } from "../../src/agent/usage.ts";

const one = { input_tokens: 1, output_tokens: 20, cache_creation_input_tokens: 300, cache_read_input_tokens: 4_000 };

it("the tokens of replies are added class by class", () => {
  expect(addedUsage(noUsage, one)).toEqual(one);
  expect(addedUsage(one, one)).toEqual({
    input_tokens: 2,
    output_tokens: 40,
    cache_creation_input_tokens: 600,
    cache_read_input_tokens: 8_000,
  });
});

it("a prompt counts with what was read from the cache, and without the reply", () => {
  expect([promptTokens(one), allTokens(one)]).toEqual([4_301, 4_321]);
});
