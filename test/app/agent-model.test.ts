import { describe, expect, it } from "vitest";
import { agentModel, checkBudget, modelNotices } from "../../src/app/agent-model.ts";
import { mergeSettings } from "../../src/settings/scopes.ts";
import type { Settings } from "../../src/settings/settings.ts";

const named = (settings: Settings) =>
  agentModel(
    { env: {}, configDir: "/home/me/.tool" },
    mergeSettings([{ scope: "user", folder: "/home/me", settings }], { trusted: true, home: "/home/me" }),
  );

describe("agentModel()", () => {
  it("has the effort and the fallback model of the settings", () => {
    expect(named({ model: "opus", effort: "high", fallbackModel: "small" })).toMatchObject({
      name: "claude-opus-5-5",
      effort: "high",
      fallback: "claude-haiku-5-5",
    });
  });

  it.each([
    ["the model itself", { model: "opus", fallbackModel: "claude-opus-5-5" }],
    ["one beside a script", { script: "/s.yaml", fallbackModel: "opus" }],
  ])("has no fallback model in %s", (_what, settings) => {
    expect(named(settings)).not.toHaveProperty("fallback");
  });
});

describe("a model that is not known here", () => {
  it("can be used, and is reported before the first request, with a suggestion", () => {
    expect([modelNotices(named({ model: "claude-sonet-5-5" })), modelNotices(named({ model: "gpt5" }))]).toEqual([
      [
        '"claude-sonet-5-5" is not a model known here: its price and window are unknown, and the provider may refuse it. Did you mean claude-sonnet-5-5?',
      ],
      [
        '"gpt5" is not a model known here: its price and window are unknown, and the provider may refuse it. Known are haiku, sonnet, opus, small, medium, large and ids such as claude-opus-5-5.',
      ],
    ]);
  });

  it("is not reported at a gateway, which has its own names, or with a script", () => {
    const own = named({ model: "gpt5" });
    const gateway = { ...own, choice: { ...own.choice, env: { ANTHROPIC_BASE_URL: "http://gateway" } } };
    expect([
      modelNotices(gateway),
      modelNotices(named({ model: "gpt5", script: "/s.yaml" })),
      modelNotices(named({ model: "opus" })),
    ]).toEqual([[], [], []]);
  });
});

describe("a fallback model without a price", () => {
  const own = named({ fallbackModel: "my-own-model" });

  it("is refused together with a budget", () => {
    expect(() => checkBudget(1, own)).toThrow(
      'cannot keep a budget of $1: the price of the fallback model "my-own-model" is not known. Name one with a known price, or none.',
    );
    expect(() => checkBudget(1, named({ fallbackModel: "haiku" }))).not.toThrow();
  });

  it("is reported otherwise", () => {
    expect(() => checkBudget(undefined, own)).not.toThrow();
    expect(modelNotices(own)).toEqual([
      'The price of the fallback model "my-own-model" is not known: what it answers is counted in tokens and not in dollars.',
    ]);
  });
});

it("an effort that the model lacks is reported", () => {
  expect(modelNotices(named({ model: "opus", effort: "off" }))).toEqual([
    'claude-opus-5-5 always thinks; with the effort "off" it thinks as little as it can.',
  ]);
});
