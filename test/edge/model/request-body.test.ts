// A request as bytes.
import { expect, it } from "vitest";
import type { ModelRequest } from "../../../src/agent/ports/model.ts";
import { requestEncoder } from "../../../src/edge/model/request-body.ts";

const request = (texts: string[]): ModelRequest => ({
  model: "m",
  max_tokens: 1,
  system: [],
  tools: [],
  messages: texts.map((text) => ({ role: "user", content: [{ type: "text", text }] })),
});
const parsed = (bytes: Uint8Array): unknown => JSON.parse(Buffer.from(bytes).toString("utf8"));

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
