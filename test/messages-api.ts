// A Messages API on loopback for tests: records its requests, and answers with streamed replies or with any fault of the connection.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { AssistantMessage, ModelRequest, Usage } from "../src/agent/ports/model.ts";
import { brokenRule, issuedThoughts } from "./api-rules.ts";

export type RecordedRequest = {
  headers: IncomingHttpHeaders;
  body: ModelRequest & { stream: boolean };
  /** Milliseconds of the monotonic clock when the request was complete. */
  at: number;
  /** The number of its TCP connection, from 1. */
  connection: number;
};

export type Block = AssistantMessage["content"][number];

/** Blocks are streamed as one whole reply. */
export type Answer = Block | Block[] | Refusal | Stream | { hangUp: true };

/** With `silentAfter`, only this many bytes of the body are sent, and nothing after them. */
export type Refusal = { status: number; headers?: Record<string, string>; body: string; silentAfter?: number };

/** A streamed answer, byte by byte, and the fault of its connection. */
export type Stream = {
  bytes: Buffer;
  /** The content that the bytes hold: its thinking blocks may appear in later requests. */
  content?: Block[];
  headersAfterMs?: number;
  /** Sends the bytes in ten pieces with this time between them. */
  pieceEveryMs?: number;
  /** The connection breaks after this many bytes. */
  cutAfter?: number;
  /** The answer ends after this many bytes, as if it were complete. */
  endAfter?: number;
  /** Sends nothing after this many bytes, and keeps the connection open. */
  silentAfter?: number;
  contentType?: string;
};

export type MessagesApi = {
  url: string;
  requests: RecordedRequest[];
  /** Requests refused by the provider's rules, and why. */
  refused: string[];
  /** Answers that are neither complete nor cancelled by the client. */
  unanswered(): number;
  close(): Promise<void>;
};

/**
 * Starts the server on a free port. `reply` answers the request number n (0, 1, 2 …), at once or later, or is the queue of all answers. A
 * request that the provider would refuse (api-rules.ts) is refused, and takes no answer.
 */
export async function startMessagesApi({
  reply,
}: {
  reply: Answer[] | ((request: RecordedRequest, n: number) => Answer | Promise<Answer>);
}): Promise<MessagesApi> {
  const answerTo = Array.isArray(reply)
    ? (_request: RecordedRequest, n: number) => reply[n] ?? refusal(500, "api_error", "no answer left")
    : reply;
  const requests: RecordedRequest[] = [];
  const sockets = new Map<Socket, number>();
  let connected = 0;
  let unanswered = 0;
  const refused: string[] = [];
  const issued = issuedThoughts();
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    unanswered++;
    response.on("close", () => unanswered--);
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString("utf8"));
      const request = { headers: incoming.headers, body, at: performance.now(), connection: sockets.get(incoming.socket) ?? 0 };
      requests.push(request);
      const broken = brokenRule(body, issued);
      if (broken) {
        refused.push(broken);
        return send(response, refusal(400, "invalid_request_error", broken));
      }
      void Promise.resolve(answerTo(request, requests.length - refused.length - 1)).then((answer) => {
        if (Array.isArray(answer) || "type" in answer) issued.add(body, Array.isArray(answer) ? answer : [answer]);
        else if ("content" in answer && answer.content) issued.add(body, answer.content);
        send(response, answer);
      });
    });
  });
  server.on("connection", (socket) => {
    sockets.set(socket, ++connected);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {}); // several tests are about clients that hang up
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    refused,
    unanswered: () => unanswered,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets.keys()) socket.destroy();
      }),
  };
}

/** A request that the provider accepts, for tests about something else. */
export const leastRequest: ModelRequest = {
  model: "claude-test",
  max_tokens: 10,
  system: [],
  tools: [],
  messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
};

export function text(value: string): Block {
  return { type: "text", text: value };
}

/** A tool call; without an id it gets one made of its name. */
export function toolUse(name: string, input: Record<string, unknown>, id = `toolu_${name}`): Block {
  return { type: "tool_use", id, name, input };
}

export type ReplyOptions = { usage?: Partial<Usage>; stop_reason?: string; model?: string };

/** A whole reply, and the fault of its connection. */
export function streamed(content: Block[], { wire, ...options }: ReplyOptions & { wire?: Omit<Stream, "bytes" | "content"> } = {}): Stream {
  return { ...wire, content, bytes: sse(replyEvents(content, options)) };
}

/** An error answer in the provider's form. */
export function refusal(status: number, type: string, message: string, headers: Record<string, string> = {}): Refusal {
  const body = JSON.stringify({ type: "error", error: { type, message }, request_id: "req_1" });
  return { status, headers: { "content-type": "application/json", ...headers }, body };
}

/** The events of a whole streamed reply. */
export function replyEvents(content: Block[], options: ReplyOptions = {}): { type: string }[] {
  const usage = { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, ...options.usage };
  const calls = content.some((block) => block.type === "tool_use");
  const stop_reason = options.stop_reason ?? (calls ? "tool_use" : "end_turn");
  const model = options.model ?? "claude-test";
  const message = { id: "msg_1", type: "message", role: "assistant", model, content: [], stop_reason: null, stop_sequence: null };
  return [
    { type: "message_start", message: { ...message, usage: { ...usage, output_tokens: 1 } } },
    { type: "ping" },
    ...content.flatMap(blockEvents),
    { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: usage.output_tokens } },
    { type: "message_stop" },
  ] as { type: string }[];
}

/** Events as they go over the wire. */
export function sse(events: { type: string }[]): Buffer {
  return Buffer.from(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(""));
}

function blockEvents(block: Block, index: number): unknown[] {
  const { start, deltas } = opened(block);
  return [
    { type: "content_block_start", index, content_block: start },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
}

function opened(block: Block): { start: unknown; deltas: unknown[] } {
  switch (block.type) {
    case "text":
      return { start: { type: "text", text: "" }, deltas: pieces(block.text).map((piece) => ({ type: "text_delta", text: piece })) };
    case "thinking":
      return {
        start: { type: "thinking", thinking: "", signature: "" },
        deltas: [
          ...pieces(block.thinking).map((piece) => ({ type: "thinking_delta", thinking: piece })),
          { type: "signature_delta", signature: block.signature },
        ],
      };
    case "redacted_thinking":
      return { start: block, deltas: [] };
    case "tool_use":
      return {
        start: { ...block, input: {} },
        deltas: pieces(JSON.stringify(block.input)).map((piece) => ({ type: "input_json_delta", partial_json: piece })),
      };
  }
}

function pieces(whole: string): string[] {
  return whole.match(/.{1,9}/gsu) ?? [];
}

function send(response: ServerResponse, answer: Answer): void {
  if (Array.isArray(answer)) send(response, streamed(answer));
  else if ("type" in answer) send(response, streamed([answer]));
  else if ("hangUp" in answer) response.socket?.destroy();
  else if ("status" in answer) refuse(response, answer);
  else if (answer.headersAfterMs === undefined) stream(response, answer);
  else {
    const timer = setTimeout(() => stream(response, answer), answer.headersAfterMs);
    response.on("close", () => clearTimeout(timer));
  }
}

function refuse(response: ServerResponse, { status, headers, body, silentAfter }: Refusal): void {
  response.writeHead(status, headers);
  if (silentAfter === undefined) response.end(body);
  else response.write(body.slice(0, silentAfter));
}

function stream(response: ServerResponse, { bytes, contentType = "text/event-stream", ...wire }: Stream): void {
  response.writeHead(200, { "content-type": contentType });
  response.flushHeaders();
  const upTo = bytes.subarray(0, wire.cutAfter ?? wire.endAfter ?? wire.silentAfter ?? bytes.length);
  if (wire.pieceEveryMs === undefined && upTo.length > 0) response.write(upTo);
  if (wire.pieceEveryMs !== undefined) drip(response, upTo, wire.pieceEveryMs);
  else if (wire.cutAfter !== undefined) response.socket?.end(() => response.socket?.destroy());
  else if (wire.silentAfter === undefined) response.end();
}

function drip(response: ServerResponse, bytes: Buffer, everyMs: number): void {
  const size = Math.ceil(bytes.length / 10);
  const timer = setInterval(() => {
    response.write(bytes.subarray(0, size));
    bytes = bytes.subarray(size);
    if (bytes.length === 0) response.end();
  }, everyMs);
  response.on("close", () => clearInterval(timer));
}
