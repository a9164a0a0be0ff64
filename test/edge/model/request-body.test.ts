// A request as bytes.
import { expect, it } from "vitest";
import type { Message, ModelRequest } from "../../../src/agent/ports/model.ts";
import { requestEncoder } from "../../../src/edge/model/request-body.ts";

const request = (texts: string[]): ModelRequest => ({
  model: "m",
  max_tokens: 1,
  system: [],
  tools: [],
  messages: texts.map((text) => ({ role: "user", content: [{ type: "text", text }] })),
});
const parsed = (pieces: Buffer[]): unknown => JSON.parse(Buffer.concat(pieces).toString("utf8"));

it("requestEncoder() encodes as JSON does, again for a conversation that has grown", () => {
  const encode = requestEncoder();
  const first = request(["one"]);
  expect(parsed(encode(first))).toEqual({ ...first, stream: true });
  const grown = { ...first, messages: [...first.messages, ...request(["two"]).messages] };
  expect(parsed(encode(grown))).toEqual({ ...grown, stream: true });
});

it("requestEncoder() replaces half a character, and leaves a text about one", () => {
  const encode = requestEncoder();
  expect(parsed(encode(request(["a\ud83db", "\\ud83d", "😀"])))).toMatchObject({
    messages: [{ content: [{ text: "a\ufffdb" }] }, { content: [{ text: "\\ud83d" }] }, { content: [{ text: "😀" }] }],
  });
});

it("requestEncoder() encodes a long conversation as JSON does at each length, and shares what was encoded before", () => {
  const encode = requestEncoder();
  const whole = request(Array.from({ length: 60 }, (_, n) => `${n} ${"x".repeat(7_000)}`));
  let before: Buffer[] = [];
  for (let length = 1; length <= 60; length++) {
    const messages = whole.messages.slice(0, length);
    const pieces = encode({ ...whole, messages: [...messages.slice(0, -1), marked(messages.at(-1)!)] });
    expect(parsed(pieces)).toEqual({ ...whole, messages: [...messages.slice(0, -1), marked(messages.at(-1)!)], stream: true });
    const shared = pieces.filter(({ buffer }, n) => buffer === before[n]?.buffer && n > 0).length;
    expect(shared).toBeGreaterThanOrEqual(Math.floor((length - 2) / 10) - 1);
    before = pieces;
  }
  expect(before.length).toBe(8);
});

it("requestEncoder() encodes two conversations that begin alike, and one that was cut", () => {
  const encode = requestEncoder();
  const whole = request(Array.from({ length: 40 }, (_, n) => `${n} ${"x".repeat(7_000)}`));
  const other = { ...whole, messages: [...whole.messages.slice(0, 15), ...request(["another", "y".repeat(90_000), "end"]).messages] };
  const cut = { ...whole, messages: whole.messages.slice(20) };
  for (const one of [whole, other, cut, whole, other, request([]), request(["short"])])
    expect(parsed(encode(one))).toEqual({ ...one, stream: true });
});

it("requestEncoder() leaves the bytes of a request as they are while another one goes on differently", () => {
  const encode = requestEncoder();
  const [one, two, other, third] = request(["one", "two", "another", "third"]).messages as [Message, Message, Message, Message];
  const whole = request([]);
  const conversations = [[one], [one, two], [one, other], [one, two, third], [one, other, third], [one]].map((messages) => ({
    ...whole,
    messages,
  }));
  const sent = conversations.map((conversation) => encode(conversation));
  expect(sent.map(parsed)).toEqual(conversations.map((conversation) => ({ ...conversation, stream: true })));
});

function marked(message: Message): Message {
  if (message.role !== "user") throw new Error("only messages of the user carry marks");
  return { ...message, content: message.content.map((block) => ({ ...block, cache_control: { type: "ephemeral" as const } })) };
}
