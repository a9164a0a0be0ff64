// A scripted reply as the bytes that the Messages API would stream, cut at inconvenient places.
import type { ModelRequest, Usage } from "../../../agent/ports/model.ts";
import type { ScriptedReply } from "./replay.ts";

type Event = { type: string; delta?: { text?: string; [field: string]: unknown }; [field: string]: unknown };

/** One event on the wire, and how long to wait after it. */
export type Frame = { bytes: Buffer; waitMs: number };

/** With `charactersPerSecond`, text arrives at that speed; tool input arrives at once. */
export function framesOf(
  reply: ScriptedReply,
  { id, usage, charactersPerSecond = Number.POSITIVE_INFINITY }: { id: string; usage: Usage; charactersPerSecond?: number },
): Frame[] {
  return eventsOf(reply, { id, usage }).map((event) => ({
    bytes: Buffer.from(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
    waitMs: ((event.delta?.text?.length ?? 0) * 1000) / charactersPerSecond,
  }));
}

function eventsOf({ text, calls }: ScriptedReply, { id, usage }: { id: string; usage: Usage }): Event[] {
  const message = { id, type: "message", role: "assistant", model: "scripted", content: [], stop_reason: null, stop_sequence: null };
  const stop_reason = calls.length > 0 ? "tool_use" : "end_turn";
  const textBlock = { block: { type: "text", text: "" }, deltas: pieces(text, 12).map((piece) => ({ type: "text_delta", text: piece })) };
  const callBlocks = calls.map(({ input, ...call }) => ({
    block: { ...call, input: {} },
    deltas: pieces(JSON.stringify(input), 29).map((piece) => ({ type: "input_json_delta", partial_json: piece })),
  }));
  const blocks = text ? [textBlock, ...callBlocks] : callBlocks;
  return [
    { type: "message_start", message: { ...message, usage: { ...usage, output_tokens: 1 } } },
    { type: "ping" },
    ...blocks.flatMap(({ block, deltas }, index): Event[] => [
      { type: "content_block_start", index, content_block: block },
      ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
      { type: "content_block_stop", index },
    ]),
    { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: usage.output_tokens } },
    { type: "message_stop" },
  ];
}

/** The same bytes in pieces of varying size, so that lines, characters and events are cut in two. */
export function* oddPieces(bytes: Buffer): Generator<Buffer> {
  for (let from = 0, n = 0; from < bytes.length; n++) {
    const size = oddSizes[n % oddSizes.length] ?? 1;
    yield bytes.subarray(from, from + size);
    from += size;
  }
}

const oddSizes = [1, 2, 5, 13, 34, 89, 233, 610, 987, 377, 144, 55, 21, 8, 3];

/**
 * Counts four bytes as a token. What the cache marks before the last reply cover was sent with the previous request, so it counts as read;
 * what the newest mark adds, as written.
 */
export function usageOf(request: ModelRequest, reply: ScriptedReply): Usage {
  const lastReply = request.messages.findLastIndex(({ role }) => role === "assistant");
  const blocks = [
    ...[...request.tools, ...request.system].map((block) => ({ block, sentBefore: lastReply >= 0 })),
    ...request.messages.flatMap(({ content }, n) => content.map((block) => ({ block, sentBefore: n < lastReply }))),
  ];
  let total = 0;
  let read = 0;
  let covered = 0;
  for (const { block, sentBefore } of blocks) {
    total += Buffer.byteLength(JSON.stringify({ ...block, cache_control: undefined }));
    if (!("cache_control" in block)) continue;
    covered = total;
    if (sentBefore) read = total;
  }
  return {
    input_tokens: tokens(total - covered),
    cache_creation_input_tokens: tokens(covered - read),
    cache_read_input_tokens: tokens(read),
    output_tokens: tokens(Buffer.byteLength(reply.text) + Buffer.byteLength(JSON.stringify(reply.calls.map(({ input }) => input)))),
  };
}

function tokens(bytes: number): number {
  return Math.ceil(bytes / 4);
}

/** Splits between whole characters: each delta is a string of its own. */
function pieces(text: string, characters: number): string[] {
  return text.match(new RegExp(`.{1,${characters}}`, "gsu")) ?? [];
}
