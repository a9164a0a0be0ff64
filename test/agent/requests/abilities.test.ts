// Servers of the Messages API that lack something, in the words with which they say so.
import { expect, it, onTestFinished } from "vitest";
import type { Message, ModelRequest } from "../../../src/agent/ports/model.ts";
import { withAbilities } from "../../../src/agent/requests/abilities.ts";
import { anthropicModel } from "../../../src/edge/model/anthropic.ts";
import { type Answer, refusal, startMessagesApi, text } from "../../messages-api.ts";

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const image = { type: "image" as const, source: { type: "base64" as const, media_type: "image/png" as const, data: png } };
const marked = { cache_control: { type: "ephemeral" as const } };
const messages: Message[] = [
  { role: "user", content: [{ type: "text", text: "Look." }, image] },
  { role: "assistant", content: [{ type: "tool_use", id: "toolu_1", name: "Read", input: {} }] },
  { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: [image], ...marked }] },
];
const request: ModelRequest = {
  model: "claude-opus-4-6",
  max_tokens: 100,
  system: [{ type: "text", text: "You are tool.", ...marked }],
  tools: [{ name: "Read", description: "Reads.", input_schema: { type: "object" } }],
  messages,
  thinking: { type: "adaptive", display: "summarized" },
  output_config: { effort: "low" },
};

/** A server that answers "ok" unless `lacking` finds something in the request that it does not have. */
async function server(lacking: (body: string) => Answer | undefined) {
  const api = await startMessagesApi({ reply: ({ body }) => lacking(JSON.stringify(body)) ?? text("ok") });
  onTestFinished(api.close);
  const model = withAbilities(anthropicModel({ apiKey: "sk-local", baseURL: api.url }));
  const notices: string[] = [];
  const ask = () =>
    model.attempt(request, {
      signal: new AbortController().signal,
      retryCount: 0,
      onText: () => {},
      onNotice: (notice) => notices.push(notice),
    });
  return { api, notices, ask };
}

const noMarks = "This provider keeps no cache: every request is read from its beginning, which costs more time and money.";
const noThinking = "This provider cannot be told how much to think: the effort has no effect.";
const noMedia = "This provider shows its model no images or documents: they are left out, and the model is told.";

it("what a server refuses is left out in the same attempt and later, and said once", async () => {
  const detail = [
    { type: "extra_forbidden", loc: ["body", "system", 0, "cache_control"], msg: "Extra inputs are not permitted" },
    { type: "extra_forbidden", loc: ["body", "thinking"], msg: "Extra inputs are not permitted" },
  ];
  const { api, notices, ask } = await server((body) => {
    if (/cache_control|"thinking"/.test(body))
      return { status: 422, headers: { "content-type": "application/json" }, body: JSON.stringify({ detail }) };
    const noVision = {
      error: { code: 500, message: "image input is not supported - hint: you may need to provide the mmproj", type: "server_error" },
    };
    return body.includes("base64")
      ? { status: 500, headers: { "content-type": "application/json" }, body: JSON.stringify(noVision) }
      : undefined;
  });
  expect([await ask(), await ask()]).toMatchObject([{ message: { content: [text("ok")] } }, { message: { content: [text("ok")] } }]);
  expect(notices).toEqual([noMarks, noThinking, noMedia]);
  expect(api.requests).toHaveLength(4);
  const { system, tools } = request;
  const leftOut = { type: "text", text: "(An image or a document, which your provider does not show you.)" };
  expect(api.requests[3]?.body).toEqual({
    model: request.model,
    max_tokens: 100,
    system: system.map(({ text: said }) => text(said)),
    tools,
    stream: true,
    messages: [
      { role: "user", content: [{ type: "text", text: "Look." }, leftOut] },
      messages[1],
      { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: [leftOut] }] },
    ],
  });
});

it.each([
  ['"qwen3" does not support thinking', noThinking, "thinking"],
  ['json: unknown field "cache_control"', noMarks, "cache_control"],
  ["this model is missing data required for image input", noMedia, "base64"],
  ["litellm.UnsupportedParamsError: local does not support parameters: ['output_config']", noThinking, "output_config"],
])("a server that says: %s", async (said, notice, part) => {
  const { notices, ask } = await server((body) => (body.includes(part) ? refusal(400, "invalid_request_error", said) : undefined));
  expect(await ask()).toMatchObject({ kind: "reply" });
  expect(notices).toEqual([notice]);
});

it("a refusal for another reason, and one that stays, is the answer", async () => {
  const lines = [
    "messages.2.content.0: Could not process image",
    "thinking.budget_tokens: Input should be greater than 1024",
    '"local" does not support tools',
    "image input is not supported, whatever you send",
  ];
  const asked = await Promise.all(
    lines.map(async (said) => {
      const { api, ask } = await server(() => refusal(400, "invalid_request_error", said));
      return [await ask(), api.requests.length] as const;
    }),
  );
  expect(asked).toMatchObject(
    lines.map((said, n) => [{ kind: "fault", fault: { verdict: "fatal", reason: `Request refused (400): ${said}.` } }, n === 3 ? 2 : 1]),
  );
});
