import { describe, expect, it } from "vitest";
import { costUsd, listPrices, modelNamed, modelTiers } from "../../../src/agent/requests/prices.ts";

const none = { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
const million = 1_000_000;

describe("a reply costs", () => {
  it("its four classes of tokens at their own prices", () => {
    const classes = ["input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"] as const;
    expect(classes.map((name) => costUsd("claude-opus-4-5", { ...none, [name]: million }))).toEqual([5, 25, 6.25, 0.5]);
    expect(classes.map((name) => costUsd("claude-opus-5-5", { ...none, [name]: million }))).toEqual([4, 20, 5, 0.2]);
    const all = { input_tokens: 1000, output_tokens: 500, cache_creation_input_tokens: 2000, cache_read_input_tokens: 100_000 };
    expect(costUsd("claude-sonnet-4-5-20250929", all)).toBeCloseTo(0.003 + 0.0075 + 0.0075 + 0.03, 10);
  });

  it("more for every token when the prompt is longer than a limit of its model", () => {
    const short = { ...none, cache_read_input_tokens: 60_000, input_tokens: 40_000, output_tokens: 1000 };
    expect(costUsd("claude-haiku-5-5", short)).toBeCloseTo(0.0006 + 0.004 + 0.0005, 10);
    expect(costUsd("claude-haiku-5-5", { ...short, input_tokens: 40_001 })).toBeCloseTo(0.003 + 0.0200005 + 0.0025, 10);
  });

  it("nothing when it is scripted, and null when the price is not known", () => {
    const usage = { ...none, input_tokens: million };
    expect(costUsd("scripted", usage)).toBe(0);
    expect(["claude-opus-9", "claude-opus-4-9", "llama", "", "claude-", "claude-opus-5x"].map((model) => costUsd(model, usage))).toEqual([
      null,
      null,
      null,
      null,
      null,
      null,
    ]);
  });

  it("the price of the longest known id that the model's name begins with", () => {
    const usage = { ...none, input_tokens: million };
    const models = [
      "claude-opus-4-20250514",
      "claude-opus-4-1-20250805",
      "claude-opus-4-8",
      "claude-fable-5-2",
      "claude-haiku-4-5@20251001",
      "claude-sonnet-5[1m]",
      "claude-sonnet-4-latest",
    ];
    expect(models.map((model) => costUsd(model, usage))).toEqual([15, 15, 5, 8, 1, 2, 3]);
  });

  it("at a cloud a tenth more where it comes from one place, but for older models", () => {
    const usage = { ...none, input_tokens: million };
    const models = [
      "global.anthropic.claude-sonnet-4-5-20250929-v1:0",
      "eu.anthropic.claude-sonnet-4-5-20250929-v1:0",
      "europe-west1.claude-sonnet-4-5@20250929",
      "anthropic.claude-opus-4-8",
      "arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-opus-5-5",
      "us.claude-opus-4-1-20250805",
      "arn:aws:bedrock:us-east-1:1:application-inference-profile/x1",
      "eu.mistral.large",
    ];
    const costs = models.map((model) => costUsd(model, usage));
    expect(costs.map((cost) => cost && Math.round(cost * 100) / 100)).toEqual([3, 3.3, 3.3, 5, 4.4, 15, null, null]);
  });

  it("own prices", () => {
    const usage = { ...none, output_tokens: million };
    const own = { ...listPrices, "claude-opus-5": { input: 1, output: 2 }, "local-model": { input: 0, output: 0.5 } };
    expect(["claude-opus-5", "local-model", "claude-opus-4-5"].map((model) => costUsd(model, usage, own))).toEqual([2, 0.5, 25]);
  });
});

it("resolves a size or a family to its model, and treats any other name as a model's id", () => {
  expect(["opus", "Haiku ", "medium", "claude-opus-4-1", "my-gateway/large"].map(modelNamed)).toEqual([
    "claude-opus-5-5",
    "claude-haiku-5-5",
    "claude-sonnet-5-5",
    "claude-opus-4-1",
    "my-gateway/large",
  ]);
  expect(Object.values(modelTiers).filter((model) => !Object.hasOwn(listPrices, model))).toEqual([]);
});
