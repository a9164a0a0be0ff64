import { describe, expect, it } from "vitest";
import type { Message } from "../../../src/agent/ports/model.ts";
import { listPrices } from "../../../src/agent/requests/prices.ts";
import { buildRequest } from "../../../src/agent/requests/request.ts";
import { effortProblem, keptReply, thinkingOf } from "../../../src/agent/requests/thinking.ts";
import { call, say } from "../agent-kit.ts";

const high = { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "high" } };
const low = { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "low" } };

describe("thinkingOf()", () => {
  it.each([
    ["claude-opus-5-5", { output_config: { effort: "low" } }, low, high],
    ["claude-fable-5-2", { output_config: { effort: "low" } }, low, high],
    ["claude-sonnet-5-5", { thinking: { type: "between_tools" } }, low, high],
    ["claude-haiku-5-5", { thinking: { type: "disabled" } }, low, high],
    ["claude-opus-4-8", {}, low, high],
    [
      "claude-sonnet-4-5-20250929",
      {},
      { thinking: { type: "enabled", budget_tokens: 4000 } },
      { thinking: { type: "enabled", budget_tokens: 16000 } },
    ],
    ["somebodys-own-model", {}, {}, {}],
  ] as const)("encodes it as %s expects: off, low, high", (model, ...said) => {
    expect((["off", "low", "high"] as const).map((effort) => thinkingOf(model, effort, []))).toEqual(said);
    expect(thinkingOf(model, undefined, [])).toEqual({});
  });

  it("knows every model that has a price", () => {
    expect(Object.keys(listPrices).filter((model) => effortProblem(model, "high") !== undefined)).toEqual([]);
  });

  it("does not begin in the middle of a turn where a model must have thought before its calls", () => {
    const result: Message = { role: "user", content: [{ type: "tool_result", tool_use_id: "c1", content: "seen" }] };
    const turn = (...thought: Parameters<typeof say>[0][]): Message[] => [
      {
        role: "assistant",
        content: [...thought.map((thinking) => ({ type: "thinking" as const, thinking, signature: "s" })), call("c1", "Look")],
      },
      result,
    ];
    expect([thinkingOf("claude-haiku-4-5", "high", turn()), thinkingOf("claude-haiku-4-5", "high", turn("Hm"))]).toEqual([
      {},
      { thinking: { type: "enabled", budget_tokens: 16000 } },
    ]);
    expect(thinkingOf("claude-haiku-5-5", "high", turn())).toEqual(high);
  });
});

describe("effortProblem()", () => {
  it("tells the person what the model does not support", () => {
    expect([
      effortProblem("claude-opus-5-5", "off"),
      effortProblem("claude-opus-5-5", "high"),
      effortProblem("mine", "low"),
      effortProblem("mine", undefined),
    ]).toEqual([
      'claude-opus-5-5 always thinks; with the effort "off" it thinks as little as it can.',
      undefined,
      'How much "mine" thinks cannot be set here: it is no model that is known. The effort "low" has no effect.',
      undefined,
    ]);
  });
});

describe("buildRequest()", () => {
  const of = (modelName: string, maxTokens: number) =>
    buildRequest({ modelName, maxTokens, effort: "high", system: "s", schemas: [], history: { messages: () => [] } });

  it("leaves as much for the reply as without thoughts, as far as the model goes", () => {
    expect([of("claude-sonnet-5-5", 16_000), of("claude-opus-4-1", 32_000)].map(({ max_tokens }) => max_tokens)).toEqual([32_000, 32_000]);
  });

  it("changes nothing in the cached part when the effort changes", () => {
    const plain = buildRequest({ modelName: "claude-opus-5-5", maxTokens: 100, system: "s", schemas: [], history: { messages: () => [] } });
    expect(of("claude-opus-5-5", 100)).toMatchObject({ system: plain.system, tools: plain.tools, messages: plain.messages });
  });
});

describe("keptReply()", () => {
  const thought = { type: "thinking" as const, thinking: "The key is abc.", signature: "s" };
  const came = { role: "assistant" as const, content: [thought, say("It is abc."), call("c1", "Look", { at: "abc" })] };

  it("keeps thoughts as they came where nothing was taken out", () => {
    expect(keptReply(came, structuredClone(came))).toEqual(came);
  });

  it.each([
    ["of a thought", { ...came, content: [{ ...thought, thinking: "The key is (secret)." }, ...came.content.slice(1)] }],
    ["of a text", { ...came, content: [thought, say("It is (secret)."), came.content[2]!] }],
    ["of a call", { ...came, content: [thought, came.content[1]!, call("c1", "Look", { at: "(secret)" })] }],
  ])("keeps no thought where a secret was taken out %s", (_where, screened) => {
    expect(keptReply(came, screened).content).toEqual(screened.content.slice(1));
  });

  it("keeps what was taken out of a reply without thoughts", () => {
    const plain = { role: "assistant" as const, content: [say("abc")] };
    const screened = { role: "assistant" as const, content: [say("(secret)")] };
    expect(keptReply(plain, screened)).toEqual(screened);
  });
});
