import { getEventListeners } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import type { AttemptOptions, ModelOutcome, ModelRequest } from "../../../src/agent/ports/model.ts";
import { type AnthropicOptions, anthropicModel, connectionProblem } from "../../../src/edge/model/anthropic.ts";
import { type Answer, type MessagesApi, refusal, replyEvents, sse, startMessagesApi, streamed, text, toolUse } from "../../messages-api.ts";

const request: ModelRequest = {
  model: "claude-test",
  max_tokens: 100,
  system: [{ type: "text", text: "You are ada, a teammate." }],
  tools: [{ name: "Read", description: "Reads a file.", input_schema: { type: "object" } }],
  messages: [{ role: "user", content: [{ type: "text", text: "Grüße 👋" }] }],
};

const wholeReply = [text("I look at it."), toolUse("Read", { path: "src/größe.js", note: 'a "quoted" \\ word 👋' })];
const whole: ModelOutcome = {
  kind: "reply",
  message: { role: "assistant", content: wholeReply },
  stop_reason: "tool_use",
  usage: { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
  model: "claude-test",
};

let api: MessagesApi | undefined;
afterEach(async () => {
  await api?.close();
  api = undefined;
});

async function serve(reply: Answer[] | ((n: number) => Answer)): Promise<MessagesApi> {
  api = await startMessagesApi({ reply: Array.isArray(reply) ? reply : (_request, n) => reply(n) });
  return api;
}

/** One attempt against the running server. */
function attempt(options: AnthropicOptions = {}, attemptOptions: Partial<AttemptOptions> = {}): Promise<ModelOutcome> {
  const model = anthropicModel({ apiKey: "key-1", baseURL: api?.url, ...options });
  return model.attempt(request, { signal: new AbortController().signal, retryCount: 0, onText: () => {}, ...attemptOptions });
}

function faultOf(outcome: ModelOutcome) {
  return outcome.kind === "fault" ? outcome.fault : outcome;
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 5000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`not within 5 s: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe("a request", () => {
  it("goes out as given, streamed, with the key as a bearer token and the number of attempts before it", async () => {
    const server = await serve([wholeReply]);
    await attempt({}, { retryCount: 3 });
    expect(server.requests.map(({ body }) => body)).toEqual([{ ...request, stream: true }]);
    const {
      authorization,
      "x-api-key": key,
      "anthropic-version": version,
      "x-stainless-retry-count": count,
    } = server.requests[0]?.headers ?? {};
    expect({ authorization, key, version, count }).toEqual({
      authorization: "Bearer key-1",
      key: undefined,
      version: "2026-10-21",
      count: "3",
    });
  });

  it("carries a gateway's token when there is no key", async () => {
    const server = await serve([wholeReply]);
    await attempt({ apiKey: " ", authToken: "token-1\n" });
    expect(server.requests[0]?.headers.authorization).toBe("Bearer token-1");
  });

  it.each(["", "/", "/v1", "/v1/", "/v1/messages"])("goes to the Messages API of an address that ends in %j", async (end) => {
    const server = await serve([wholeReply]);
    const asked: string[] = [];
    const noting: typeof fetch = (url, init) => {
      asked.push(url instanceof Request ? url.url : String(url));
      return fetch(url, init);
    };
    expect(await attempt({ baseURL: `${server.url}${end}`, fetch: noting })).toMatchObject({ kind: "reply" });
    expect(asked).toEqual([`${server.url}/v1/messages`]);
  });

  it("uses the older API if told to", async () => {
    const server = await serve([wholeReply]);
    await attempt({ apiVersion: "2023-06-01" });
    const { authorization, "x-api-key": key, "anthropic-version": version } = server.requests[0]?.headers ?? {};
    expect({ authorization, key, version }).toEqual({ authorization: undefined, key: "key-1", version: "2023-06-01" });
  });

  it("reuses the previous connection", async () => {
    const server = await serve([wholeReply, wholeReply, wholeReply]);
    const model = anthropicModel({ apiKey: "key-1", baseURL: server.url });
    for (let n = 0; n < 3; n++) {
      expect(await model.attempt(request, { signal: new AbortController().signal, retryCount: n, onText: () => {} })).toEqual(whole);
      await new Promise(setImmediate); // an agent would run tool calls here; the connection is free after one round of the event loop
    }
    expect(server.requests.map(({ connection }) => connection)).toEqual([1, 1, 1]);
  });

  it("leaves no listener on a signal that outlives it", async () => {
    await serve([wholeReply]);
    const { signal } = new AbortController();
    await attempt({}, { signal });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  it("is not sent without a key or with an impossible one", async () => {
    const server = await serve([]);
    const problems = [
      { apiKey: undefined },
      { apiKey: "", authToken: "  " },
      { apiKey: "two words" },
      { apiKey: undefined, authToken: "naïve" },
      { baseURL: "localhost:8080" },
      { apiVersion: "old" },
    ];
    const reasons = await Promise.all(problems.map(async (options) => faultOf(await attempt(options))));
    expect(reasons).toEqual(
      [
        "No key for the model provider. Start a session on a terminal to be asked for one, set ANTHROPIC_API_KEY (or ANTHROPIC_AUTH_TOKEN for a gateway with tokens of its own), or name a command that prints it as apiKeyHelper in your settings. ANTHROPIC_BASE_URL names another server.",
        "No key for the model provider. Start a session on a terminal to be asked for one, set ANTHROPIC_API_KEY (or ANTHROPIC_AUTH_TOKEN for a gateway with tokens of its own), or name a command that prints it as apiKeyHelper in your settings. ANTHROPIC_BASE_URL names another server.",
        "The key in ANTHROPIC_API_KEY contains characters that keys do not have. Set it again, without quotes or line breaks.",
        "The key in ANTHROPIC_AUTH_TOKEN contains characters that keys do not have. Set it again, without quotes or line breaks.",
        'ANTHROPIC_BASE_URL is "localhost:8080", which is not an http or https address.',
        'TOOL_API_VERSION is "old", which is not a version such as 2023-06-01. Leave it unset for the current one.',
      ].map((reason) => ({ verdict: "fatal", reason })),
    );
    expect(server.requests).toEqual([]);
    expect(connectionProblem({ apiKey: "key-1", baseURL: "http://127.0.0.1:1" })).toBeUndefined();
  });
});

describe("a reply", () => {
  it("is complete, and its text was streamed in pieces", async () => {
    await serve([wholeReply]);
    const pieces: string[] = [];
    expect(await attempt({}, { onText: (piece) => pieces.push(piece) })).toEqual(whole);
    expect(pieces.join("")).toBe("I look at it.");
  });

  it("keeps thinking as received, and leaves out blank text and unknown kinds of blocks and events", async () => {
    const thinking = { type: "thinking" as const, thinking: "Let me see.", signature: "c2lnbmF0dXJl" };
    const redacted = { type: "redacted_thinking" as const, data: "ZGF0YQ==" };
    const [start, ping, ...rest] = replyEvents([thinking, redacted, text(" \n"), text("Yes.")]);
    const unknown = [
      { type: "weather_report", index: 7 },
      { type: "content_block_start", index: 0, content_block: { type: "hologram", text: "?" } },
      { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: "{" } },
      { type: "content_block_delta", index: 0, delta: { type: "photon_delta" } },
      { type: "content_block_stop", index: 0 },
    ];
    const later = rest.map((event) => ("index" in event ? { ...event, index: Number(event.index) + 1 } : event));
    await serve([{ bytes: sse([start!, ping!, ...unknown, ...later]) }]);
    expect(await attempt()).toEqual({
      ...whole,
      stop_reason: "end_turn",
      message: { role: "assistant", content: [thinking, redacted, text("Yes.")] },
    });
  });

  it("uses the later count of each class of tokens", async () => {
    const usage = { input_tokens: 7, output_tokens: 42, cache_creation_input_tokens: 300, cache_read_input_tokens: 2000 };
    await serve([streamed([text("Yes.")], { usage })]);
    expect(await attempt()).toMatchObject({ usage });
  });

  it("contains no call that the output limit cut, nor a thought without its signature", async () => {
    const calls = [toolUse("Read", { path: "a" }, "t1"), toolUse("Read", { path: "b" }, "t2")];
    const events = replyEvents(calls, { stop_reason: "max_tokens" });
    const deltas = events.flatMap((event, n) => ("delta" in event && "index" in event && event.index === 1 ? [n] : []));
    const without = (dropped: number[]) => ({ bytes: sse(events.filter((_event, n) => !dropped.includes(n))) });
    const thought = replyEvents([text("So."), { type: "thinking", thinking: "Hm", signature: "" }], { stop_reason: "max_tokens" });
    await serve([streamed(calls, { stop_reason: "max_tokens" }), without(deltas.slice(-1)), without(deltas), { bytes: sse(thought) }]);
    const contents = [];
    for (let n = 0; n < 4; n++) {
      const outcome = await attempt();
      contents.push(outcome.kind === "reply" ? outcome.message.content : outcome);
    }
    expect(contents).toEqual([calls, [calls[0]], [calls[0]], [text("So.")]]);
  });

  it("is complete even if its connection ends badly or not at all", async () => {
    const bytes = sse(replyEvents(wholeReply));
    await serve([
      { bytes, cutAfter: bytes.length },
      { bytes, silentAfter: bytes.length },
      { bytes: Buffer.concat([bytes, sse([{ type: "message_stop" }, { type: "error" }])]) },
    ]);
    expect([await attempt(), await attempt(), await attempt()]).toEqual([whole, whole, whole]);
  });
});

describe("a stream that fails", () => {
  it.each(["cutAfter", "endAfter"] as const)("gives no reply, wherever it stops (%s)", async (how) => {
    const bytes = sse(replyEvents([text("Ü"), toolUse("Read", { path: "ö" })]));
    await serve((n) => ({ bytes, [how]: n % bytes.length }));
    const outcomes: ModelOutcome[] = [];
    const attempts = async () => {
      while (api!.requests.length < bytes.length) outcomes.push(await attempt());
    };
    await Promise.all(Array.from({ length: 8 }, attempts));
    expect(outcomes.filter((outcome) => outcome.kind !== "fault" || outcome.fault.verdict !== "retry")).toEqual([]);
    expect(outcomes.length).toBeGreaterThanOrEqual(bytes.length);
  });

  const events = replyEvents(wholeReply);
  const [start, , blockStart, delta, , blockStop] = events;
  const last = events.length - 1;
  const broken: [string, Buffer][] = [
    ...events.flatMap((event, n): [string, Buffer][] =>
      ["message_start", "content_block_start", "content_block_stop", "message_delta"].includes(event.type)
        ? [[`${event.type} (${n}) twice`, sse(events.toSpliced(n, 0, event))]]
        : [],
    ),
    ...events.flatMap((event, n): [string, Buffer][] =>
      event.type === "ping" || event.type === "content_block_delta" ? [] : [[`no ${event.type} (${n})`, sse(events.toSpliced(n, 1))]],
    ),
    ["a delta before its block", sse(events.toSpliced(2, 2, delta!, blockStart!))],
    ["a delta after its block", sse(events.toSpliced(4, 2, blockStop!, delta!))],
    ["a block after the reason to stop", sse(events.toSpliced(last, 0, { ...blockStart, index: 2 } as never))],
    ["text in a tool call", sse(events.toSpliced(last - 2, 0, { ...delta, index: 1 } as never))],
    ["a tool call's input without its last piece", sse(events.toSpliced(last - 3, 1))],
    ["input that is no object", sse(replyEvents([toolUse("Read", [] as never)]))],
    ["an event that is not JSON", Buffer.concat([sse([start!]), Buffer.from('event: ping\ndata: {"type":\n\n'), sse(events.slice(1))])],
    ["nothing", Buffer.alloc(0)],
    ["something else", Buffer.from("It works!\n\n")],
  ];
  it.each(broken)("is repeated: %s", async (_what, bytes) => {
    await serve([{ bytes, contentType: "text/event-stream; charset=utf-8" }]);
    const fault = faultOf(await attempt());
    expect(fault).toEqual({ verdict: "retry", reason: expect.stringMatching(/^The reply was lost: .+\.$/) });
  });

  it("reports the message of an error event", async () => {
    const error = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    await serve([{ bytes: sse([start!, blockStart!, error, ...events]) }]);
    expect(faultOf(await attempt())).toEqual({
      verdict: "retry",
      reason: "The reply was lost: overloaded_error: Overloaded.",
      status: 529,
    });
  });

  it("is aborted when no data arrives: before the headers, within the stream, within an error", async () => {
    const bytes = sse(events);
    const server = await serve([
      { bytes, headersAfterMs: 60_000 },
      { bytes, silentAfter: 0 },
      { bytes, silentAfter: 300 },
      { ...refusal(400, "invalid_request_error", "no"), silentAfter: 10 } as Answer,
    ]);
    const silent = { verdict: "retry", reason: "Nothing came from the provider for 0.15 s." };
    for (let n = 0; n < 4; n++) expect(faultOf(await attempt({ idleTimeoutMs: 150 }))).toEqual(silent);
    await until(() => server.unanswered() === 0);
  });

  it("is not aborted while bytes arrive, however long it takes", async () => {
    await serve([{ bytes: sse(events), pieceEveryMs: 60 }]);
    expect(await attempt({ idleTimeoutMs: 400 })).toEqual(whole);
  });
});

describe("an abort", () => {
  it.each([
    ["before the request", 0, { bytes: Buffer.alloc(0) }],
    ["before the headers", 1, { bytes: Buffer.alloc(0), headersAfterMs: 60_000 }],
    ["within the stream", 1, { bytes: sse(replyEvents(wholeReply)), silentAfter: 400 }],
    ["within an error", 1, { ...refusal(529, "overloaded_error", "no"), silentAfter: 10 }],
  ])("%s ends the attempt and the connection", async (_when, requests, answer) => {
    const server = await serve([answer]);
    const abort = new AbortController();
    if (requests === 0) abort.abort();
    const outcome = attempt({}, { signal: abort.signal });
    await until(() => server.requests.length === requests);
    abort.abort();
    expect(await outcome).toMatchObject({ kind: "aborted" });
    await until(() => server.unanswered() === 0);
    expect(server.requests.length).toBe(requests);
  });
});

describe("a reply that stays incomplete", () => {
  it("is reported with the provider's counts and the text so far, interrupted or lost", async () => {
    const bytes = sse(replyEvents(wholeReply));
    const partial = { model: "claude-test", usage: expect.objectContaining({ input_tokens: 10 }), streamedBytes: expect.any(Number) };
    await serve([{ bytes, silentAfter: 900 }, { bytes: bytes.subarray(0, 900) }, { bytes, headersAfterMs: 60_000 }]);
    const abort = new AbortController();
    const interrupted = await attempt({}, { signal: abort.signal, onText: () => abort.abort() });
    expect(interrupted).toEqual({ kind: "aborted", partial });
    expect(interrupted).toHaveProperty(
      "partial.streamedBytes",
      expect.toSatisfy((bytes: number) => bytes > 0),
    );
    expect(await attempt()).toMatchObject({ kind: "fault", partial });
    expect(await attempt({ idleTimeoutMs: 100 })).not.toHaveProperty("partial");
  });
});

describe("a refusal", () => {
  const long = "x".repeat(700);
  it.each([
    [
      refusal(401, "authentication_error", "invalid x-api-key"),
      { verdict: "fatal", reason: "Key refused (401): invalid x-api-key. The key came from ANTHROPIC_API_KEY." },
    ],
    [
      refusal(403, "permission_error", "Not for you."),
      { verdict: "fatal", reason: "Not allowed (403): Not for you. The key came from ANTHROPIC_API_KEY." },
    ],
    [
      refusal(404, "not_found_error", "model: claude-none"),
      { verdict: "fatal", reason: "Not found (404): model: claude-none. Check the model's name and ANTHROPIC_BASE_URL." },
    ],
    [
      refusal(400, "invalid_request_error", "messages: too few\n  of them"),
      { verdict: "fatal", reason: "Request refused (400): messages: too few of them." },
    ],
    [refusal(400, "invalid_request_error", long), { verdict: "fatal", reason: `Request refused (400): ${long.slice(0, 600)}…` }],
    [refusal(422, "odd", "the key key-1 is wrong"), { verdict: "fatal", reason: "Request refused (422): the key (the key) is wrong." }],
    [
      refusal(400, "invalid_request_error", "prompt is too long: 212345 tokens > 200000 maximum"),
      { verdict: "overflow", reason: "Conversation too long for the model (400): prompt is too long: 212345 tokens > 200000 maximum." },
    ],
    [
      refusal(400, "invalid_request_error", "input length and `max_tokens` exceed context limit"),
      { verdict: "overflow", reason: "Conversation too long for the model (400): input length and `max_tokens` exceed context limit." },
    ],
    [
      refusal(413, "request_too_large", "Request exceeds the maximum size"),
      { verdict: "overflow", reason: "Conversation too long for the model (413): Request exceeds the maximum size." },
    ],
    [
      refusal(400, "invalid_request_error", "Your credit balance is too low to access the API."),
      {
        verdict: "spent",
        reason: "Budget spent at the provider (400): Your credit balance is too low to access the API. Raise its limit, or buy more.",
      },
    ],
    [
      refusal(400, "invalid_request_error", "You have reached your specified API usage limits. More on 2026-12-01."),
      {
        verdict: "spent",
        reason:
          "Budget spent at the provider (400): You have reached your specified API usage limits. More on 2026-12-01. Raise its limit, or buy more.",
      },
    ],
    [
      refusal(429, "rate_limit_error", "This request would exceed your organization's monthly spend limit"),
      {
        verdict: "spent",
        reason:
          "Budget spent at the provider (429): This request would exceed your organization's monthly spend limit. Raise its limit, or buy more.",
      },
    ],
    [
      refusal(402, "billing_error", "No card"),
      { verdict: "spent", reason: "Budget spent at the provider (402): No card. Raise its limit, or buy more." },
    ],
    [
      refusal(403, "billing_error", "No card"),
      { verdict: "spent", reason: "Budget spent at the provider (403): No card. Raise its limit, or buy more." },
    ],
    [
      refusal(429, "rate_limit_error", "This request would exceed your account's rate limit"),
      { verdict: "retry", reason: "Rate limit (429): This request would exceed your account's rate limit." },
    ],
    [refusal(408, "timeout_error", ""), { verdict: "retry", reason: "Request timed out (408)." }],
    [refusal(409, "conflict_error", "Busy"), { verdict: "retry", reason: "Conflict at the provider (409): Busy." }],
    [
      refusal(500, "api_error", "Internal server error"),
      { verdict: "retry", reason: "Server error at the provider (500): Internal server error." },
    ],
    [refusal(529, "overloaded_error", "Overloaded"), { verdict: "retry", reason: "Provider overloaded (529): Overloaded." }],
    [
      { status: 502, headers: { "content-type": "text/html" }, body: "<h1>Bad gateway</h1>" },
      { verdict: "retry", reason: "Server error at the provider (502)." },
    ],
    [
      { status: 400, body: '{"error":"no such field"}' },
      { verdict: "fatal", reason: "Request refused (400): no such field." },
    ],
    [
      { status: 503, body: "" },
      { verdict: "retry", reason: "Server error at the provider (503)." },
    ],
  ])("is a verdict and a sentence: %j", async (answer, expected) => {
    await serve([answer]);
    expect(faultOf(await attempt())).toEqual({ ...expected, status: answer.status });
  });

  it("counts by its status where its text is cut off", async () => {
    const cut = { ok: false, status: 503, headers: new Headers(), text: () => Promise.reject(new Error("aborted")) };
    const asked: typeof fetch = async () => cut as unknown as Response;
    expect(faultOf(await attempt({ baseURL: "http://127.0.0.1:1", fetch: asked }))).toEqual({
      verdict: "retry",
      reason: "Server error at the provider (503).",
      status: 503,
    });
  });

  it("leaves out the key, and no part of another word that is alike", async () => {
    const answer = refusal(404, "not_found_error", "Check k, key or k-1 of sk-abcdefghx");
    await serve([answer, answer]);
    expect([faultOf(await attempt({ apiKey: "k" })), faultOf(await attempt({ apiKey: "sk-abcdefgh" }))]).toMatchObject([
      { reason: expect.stringContaining("Check (the key), key or (the key)-1 of sk-abcdefghx") },
      { reason: expect.stringContaining("Check k, key or k-1 of (the key)x") },
    ]);
  });

  it("names the variable of a gateway's token", async () => {
    await serve([refusal(401, "authentication_error", "expired")]);
    expect(faultOf(await attempt({ apiKey: undefined, authToken: "token-1" }))).toMatchObject({
      reason: "Key refused (401): expired. The key came from ANTHROPIC_AUTH_TOKEN.",
    });
  });

  it("treats a spend limit as spent by its error code, whatever its message", async () => {
    const codes = ["contract_spend_limit_reached", "enforced_spend_limit_reached", "ramp_limit_exceeded"];
    await serve(
      codes.map((error_code) => ({
        status: 429,
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ type: "error", error: { type: "rate_limit_error", message: "Slow down", details: { error_code } } }),
      })),
    );
    const verdicts = [];
    for (const _code of codes) verdicts.push((faultOf(await attempt()) as { verdict: string }).verdict);
    expect(verdicts).toEqual(["spent", "spent", "retry"]);
  });

  it("to another address is not followed", async () => {
    const elsewhere = await startMessagesApi({ reply: [wholeReply] });
    const server = await serve([{ status: 307, headers: { location: `${elsewhere.url}/v1/messages` }, body: "" }]);
    expect(faultOf(await attempt())).toEqual({
      verdict: "fatal",
      status: 307,
      reason: `Redirected (307). ${server.url} points to ${elsewhere.url}/v1/messages. If that is right, set ANTHROPIC_BASE_URL to it.`,
    });
    expect(elsewhere.requests).toEqual([]);
    await elsewhere.close();
  });

  it("with status 200 and a page is distinguished from a stream", async () => {
    const server = await serve([{ bytes: Buffer.from("<h1>Sign in</h1>"), contentType: "text/html; charset=utf-8" }]);
    expect(faultOf(await attempt())).toEqual({
      verdict: "fatal",
      reason: `${server.url} answered with text/html; charset=utf-8, not with a stream of events. Check ANTHROPIC_BASE_URL.`,
    });
  });

  it("of the connection itself is repeated", async () => {
    const server = await serve([{ hangUp: true }]);
    const broken = faultOf(await attempt());
    await server.close();
    api = undefined;
    const closed = faultOf(await attempt({ baseURL: server.url }));
    // a port closed a moment ago may still reset new connections
    const reason = new RegExp(`^No connection to ${server.url} \\(ECONN(?:REFUSED|RESET)\\)\\.$`);
    expect([broken, closed]).toEqual([
      { verdict: "retry", reason: `No connection to ${server.url} (ECONNRESET).` },
      { verdict: "retry", reason: expect.stringMatching(reason) },
    ]);
  });
});
