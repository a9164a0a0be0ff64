import { describe, expect, it } from "vitest";
import type { Message, ModelRequest } from "../src/agent/ports/model.ts";
import { brokenRule, issuedThoughts } from "./api-rules.ts";
import { png } from "./pictures.ts";

const say = (text: string) => ({ type: "text" as const, text });
const call = (id: string, name = "Look") => ({ type: "tool_use" as const, id, name, input: {} });
const result = (id: string, content: unknown = "seen") => ({ type: "tool_result" as const, tool_use_id: id, content });
const thought = { type: "thinking" as const, thinking: "Hm.", signature: "s1" };
const user = (...content: unknown[]) => ({ role: "user", content }) as Message;
const assistant = (...content: unknown[]) => ({ role: "assistant", content }) as Message;
const mark = { cache_control: { type: "ephemeral" } };
const image = (data: string, media_type = "image/png", type = "image") => ({ type, source: { type: "base64", media_type, data } });
const small = png(2, 2).toString("base64");

const whole: ModelRequest = {
  model: "claude-opus-5-5",
  max_tokens: 16_000,
  system: [say("You are ada.")],
  tools: [{ name: "Look", description: "Looks.", input_schema: { type: "object" } }],
  messages: [user(say("go")), assistant(thought, say("I look."), call("a"), call("b")), user(result("a"), result("b"), say("And hurry."))],
};
const old = { ...whole, model: "claude-sonnet-4-5", thinking: { type: "enabled", budget_tokens: 4_000 } };
const talk = (...messages: Message[]) => ({ messages });
const answered = (...content: unknown[]) => talk(user(say("go")), assistant(call("a")), user(...content));
const shown = (block: unknown) => talk(user(say("go"), block));

it("takes a whole request, with images, thoughts and calls", () => {
  const images = shown(image(small));
  const adaptive = { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "high" } };
  expect([whole, old, { ...whole, ...images }, { ...whole, ...adaptive }].map((body) => brokenRule(body as ModelRequest))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

describe("refuses, as the provider does,", () => {
  it.each<[string, object, RegExp]>([
    ["a field that there is not", { effort: "high" }, /^effort: Extra inputs/],
    ["no model", { model: "" }, /^model:/],
    ["no output", { max_tokens: 0 }, /^max_tokens: Input/],
    ["more output than the model has", { model: "claude-opus-4-1", max_tokens: 64_000 }, /64000 > 32000/],
    ["no message", { messages: [] }, /at least one message/],
    ["two messages of a kind in a row", talk(user(say("a")), user(say("b"))), /roles must alternate/],
    ["a conversation that begins with the model", talk(assistant(say("a")), user(say("b"))), /roles must alternate/],
    ["a message with nothing in it", talk(user(say("a")), assistant(), user(say("b"))), /non-empty content/],
    ["an empty text", talk(user(say(""))), /must be non-empty/],
    ["a blank text in a result", answered(result("a", [say(" \n")])), /non-whitespace/],
    ["a block of an unknown kind", talk(user({ type: "video" })), /Input tag 'video'/],
    ["a call of a user", talk(user(call("a"))), /Input tag 'tool_use'/],
    ["a field of a block that there is not", talk(user({ ...say("a"), shown: "b" })), /text.shown: Extra inputs/],
    ["a block without a field", talk(user({ type: "tool_result" })), /tool_use_id: Field required/],
    ["input that is no object", talk(user(say("a")), assistant({ ...call("a"), input: [] }), user(result("a"))), /valid dictionary/],
    ["a conversation that ends with the model", talk(user(say("a")), assistant(say("b"))), /must end with a user message/],
    ["a call without its result", answered(say("no")), /without `tool_result` blocks immediately after: a/],
    ["a result for nothing", talk(user(result("a"))), /unexpected `tool_use_id`/],
    ["two results for one call", answered(result("a"), result("a")), /a single result/],
    ["a text before a result", answered(say("first"), result("a")), /must come before all other/],
    ["an error with an image", answered({ ...result("a", [image(small)]), is_error: true }), /all content must be type "text"/],
    [
      "a call's id twice",
      talk(user(say("go")), assistant(call("a")), user(result("a")), assistant(call("a")), user(result("a"))),
      /ids must be unique/,
    ],
    ["an odd id", talk(user(say("go")), assistant(call("a b")), user(result("a b"))), /should match pattern/],
    ["two tools of a name", { tools: [...whole.tools, ...whole.tools] }, /names must be unique/],
    ["an odd name of a tool", { tools: [{ ...whole.tools[0], name: "a b" }] }, /should match pattern/],
    ["a tool without an object", { tools: [{ ...whole.tools[0], input_schema: {} }] }, /Input should be 'object'/],
    [
      "a tool with one of several objects",
      { tools: [{ ...whole.tools[0], input_schema: { type: "object", anyOf: [] } }] },
      /does not support oneOf/,
    ],
    ["a fifth mark", talk(user(...[1, 2, 3, 4, 5].map((n) => ({ ...say(`${n}`), ...mark })))), /Found 5/],
    ["a mark on a thought", talk(user(say("a")), assistant({ ...thought, ...mark }, say("b")), user(say("c"))), /Extra inputs/],
    ["a number of tokens for a model that decides itself", { thinking: { type: "enabled", budget_tokens: 4_000 } }, /not supported/],
    ["a model that shall decide itself and does not", { ...old, thinking: { type: "adaptive" } }, /not supported/],
    ["no thought of a model that always thinks", { thinking: { type: "disabled" } }, /not supported/],
    ["thoughts between calls of another model", { model: "claude-haiku-5-5", thinking: { type: "between_tools" } }, /not supported/],
    ["an effort that the model does not have", { model: "claude-haiku-4-4", output_config: { effort: "low" } }, /effort parameter/],
    ["too few tokens of thought", { ...old, thinking: { type: "enabled", budget_tokens: 1_000 } }, /equal to 1024/],
    ["as many tokens of thought as of reply", { ...old, max_tokens: 4_000 }, /must be greater than `thinking.budget_tokens`/],
    ["a temperature beside thoughts", { ...old, temperature: 0 }, /`temperature` may only be set to 1/],
    ["a forced call beside thoughts", { ...old, tool_choice: { type: "any" } }, /forces tool use/],
    ["a thought at the end", talk(user(say("a")), assistant(say("b"), thought), user(say("c"))), /final block/],
    ["a thought without a signature", talk(user(say("a")), assistant({ ...thought, signature: "" }, say("b")), user(say("c"))), /Invalid/],
    ["a turn that begins without a thought", { ...old, ...answered(result("a")) }, /Expected `thinking`/],
    ["an image of another kind", shown(image(small, "image/tiff")), /media_type/],
    ["a document as an image", shown(image(small, "application/pdf")), /media_type/],
    ["what is not base64", shown(image("%")), /Invalid base64/],
    ["an image of 6 MB", shown(image("A".repeat(6 * 1024 * 1024))), /exceeds 5 MB/],
    ["an image that is none", shown(image("AAAA")), /Could not process image/],
    ["a document that is none", shown(image("AAAA", "application/pdf", "document")), /not valid/],
    ["an image of 9,000 pixels", shown(image(png(9_000, 1).toString("base64"))), /8000 pixels/],
    [
      "an image of 3,000 pixels among many",
      talk(user(...Array.from({ length: 21 }, () => image(png(3_000, 1).toString("base64"))))),
      /many-image requests/,
    ],
    ["101 images", talk(user(...Array.from({ length: 101 }, () => image(small)))), /too many images/],
    ["more than 32 MB", talk(user(say("x".repeat(33 * 1024 * 1024)))), /maximum size/],
  ])("%s", (_what, change, expected) => {
    expect(brokenRule({ ...whole, ...change } as ModelRequest)).toMatch(expected);
  });
});

describe("thoughts that a server has sent", () => {
  const first = { ...whole, messages: [user(say("go"))] };
  const issued = issuedThoughts();
  issued.add(first, [thought, say("I look."), call("a")] as never);
  const back = (change: (content: object[]) => object[], before: Partial<ModelRequest> = {}) =>
    brokenRule(
      { ...first, ...before, messages: [user(say("go")), assistant(...change([thought, say("I look."), call("a")])), user(result("a"))] },
      issued,
    );

  it("come back as they were, with marks elsewhere, or not at all", () => {
    expect([
      back((content) => content),
      back((content) => content, { system: [{ ...say("You are ada."), ...mark }] as never }),
      back((content) => content.slice(1)),
    ]).toEqual([undefined, undefined, undefined]);
  });

  it.each<[string, (content: object[]) => object[], Partial<ModelRequest>, RegExp]>([
    ["with other words", ([, ...rest]) => [{ ...thought, thinking: "Ha." }, ...rest], {}, /cannot be modified/],
    ["with another signature", ([, ...rest]) => [{ ...thought, signature: "s2" }, ...rest], {}, /Invalid `signature`/],
    ["in another place", ([one, text, ...rest]) => [text!, one!, ...rest], {}, /what stands before it has changed/],
    ["under another system prompt", (content) => content, { system: [say("You are bo.")] }, /what stands before it has changed/],
    ["with another tool", (content) => content, { tools: [] }, /what stands before it has changed/],
  ])("are refused %s", (_how, change, before, expected) => {
    expect(back(change, before)).toMatch(expected);
  });
});
