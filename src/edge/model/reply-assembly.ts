// Assembles the events of one streamed reply strictly: the result is a complete reply or a BrokenReply. Event flow:
// https://platform.claude.com/docs/en/build-with-claude/streaming
import type { AssistantMessage, CallPiece, ModelReply, PartialReply, ToolUseBlock, Usage } from "../../agent/ports/model.ts";
import { ifPossible } from "../system-error.ts";

/** The events do not form a valid reply. The message is a sentence for the user. */
export class BrokenReply extends Error {
  override name = "BrokenReply";
  /** The status that the provider would have answered with, had it not begun to stream. */
  status?: number;
}

export interface ReplyAssembly {
  /** Takes the data of the next event. Throws BrokenReply if it does not fit the previous ones. */
  take(data: string): void;
  /** The reply, once its last event was taken. */
  reply(): ModelReply | undefined;
  /** The block of which more is to come, and how many characters of a call's input it has so far. */
  open(): OpenBlock | undefined;
  /** The reply so far; undefined before the first event. */
  partial(): PartialReply | undefined;
}

type Content = AssistantMessage["content"][number];

/** A content block that is being received. `other` is an unknown kind: received and left out. */
type Open =
  | { kind: "text"; text: string; said: boolean }
  | { kind: "thinking"; thinking: string; signature: string }
  | { kind: "redacted_thinking"; data: string }
  | { kind: "tool_use"; id: string; name: string; input: unknown; json: string }
  | { kind: "other" };

export type OpenBlock = { kind: Open["kind"]; inputLength: number };

type Fields = Record<string, unknown>;

/** Called with each piece as it arrives. */
type Listeners = { onText: (text: string) => void; onThought?: (text: string) => void; onCallText?: (piece: CallPiece) => void };

export function replyAssembly({ onText, onThought = () => {}, onCallText = () => {} }: Listeners): ReplyAssembly {
  let model: string | undefined;
  let open: Open | undefined;
  let stopReason: string | undefined;
  let thoughtTokens: number | undefined;
  let reply: ModelReply | undefined;
  const blocks: Open[] = [];
  const usage: Usage = { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

  /** Each block is a paragraph of its own; a block of whitespace is skipped, because it will not be part of the reply. */
  const say = (block: Extract<Open, { kind: "text" }>, piece: string) => {
    if (block.said) return onText(piece);
    if (block.text.trim() === "") return;
    const before = blocks.some((other) => other !== block && other.kind === "text" && other.said);
    block.said = true;
    onText(before ? `\n\n${block.text}` : block.text);
  };

  const steps: Record<string, (event: Fields) => void> = {
    message_start(event) {
      if (model !== undefined) throw new BrokenReply("it began twice");
      const message = fields(event["message"]);
      model = text(message["model"]);
      addUsage(usage, message["usage"]);
    },
    content_block_start(event) {
      if (model === undefined || open || stopReason !== undefined || event["index"] !== blocks.length) throw outOfOrder(event);
      open = openBlock(fields(event["content_block"]));
      blocks.push(open);
      if (open.kind === "text") say(open, open.text);
      if (open.kind === "tool_use") onCallText({ name: open.name, text: "", begins: true });
    },
    content_block_delta(event) {
      if (!open || event["index"] !== blocks.length - 1) throw outOfOrder(event);
      extend(open, fields(event["delta"]), { say, onThought, onCallText });
    },
    content_block_stop(event) {
      if (!open || event["index"] !== blocks.length - 1) throw outOfOrder(event);
      open = undefined;
    },
    message_delta(event) {
      if (model === undefined || open || stopReason !== undefined) throw outOfOrder(event);
      const reason = fields(event["delta"])["stop_reason"];
      if (typeof reason === "string") stopReason = reason;
      addUsage(usage, event["usage"]);
      const counted = fields(fields(event["usage"])["output_tokens_details"])["thinking_tokens"];
      if (typeof counted === "number") thoughtTokens = counted;
    },
    message_stop(event) {
      if (model === undefined || stopReason === undefined || open) throw outOfOrder(event);
      const message: AssistantMessage = { role: "assistant", content: contentOf(blocks, stopReason) };
      if (stopReason === "tool_use" && !message.content.some(({ type }) => type === "tool_use")) {
        throw new BrokenReply("it stops for a tool call and has none");
      }
      reply = { kind: "reply", message, stop_reason: stopReason, usage, ...(thoughtTokens !== undefined && { thoughtTokens }), model };
    },
    error(event) {
      const error = fields(event["error"]);
      const broken = new BrokenReply([error["type"], error["message"]].filter((part) => typeof part === "string").join(": "));
      if (error["type"] === "overloaded_error") broken.status = 529;
      throw broken;
    },
  };

  return {
    take(data) {
      if (reply) return; // anything after the last event is not part of the reply
      const event = parsed(data);
      // `ping` and unknown kinds of events are ignored
      if (typeof event["type"] === "string" && Object.hasOwn(steps, event["type"])) steps[event["type"]]?.(event);
    },
    reply: () => reply,
    open: () => open && { kind: open.kind, inputLength: open.kind === "tool_use" ? open.json.length : 0 },
    partial: () =>
      model === undefined
        ? undefined
        : { model, usage: { ...usage }, streamedBytes: blocks.reduce((sum, block) => sum + bytesOf(block), 0) },
  };
}

function bytesOf(block: Open): number {
  switch (block.kind) {
    case "text":
      return Buffer.byteLength(block.text);
    case "thinking":
      return Buffer.byteLength(block.thinking);
    case "redacted_thinking":
      return Buffer.byteLength(block.data);
    case "tool_use":
      return Buffer.byteLength(block.name) + Buffer.byteLength(block.json);
    case "other":
      return 0;
  }
}

function openBlock(block: Fields): Open {
  switch (block["type"]) {
    case "text":
      return { kind: "text", text: text(block["text"]), said: false };
    case "thinking":
      return { kind: "thinking", thinking: text(block["thinking"]), signature: text(block["signature"]) };
    case "redacted_thinking":
      return { kind: "redacted_thinking", data: text(block["data"]) };
    case "tool_use":
      if (!block["id"] || !block["name"]) throw new BrokenReply("a tool call in it has no id or no name");
      return { kind: "tool_use", id: text(block["id"]), name: text(block["name"]), input: block["input"], json: "" };
    default:
      return { kind: "other" };
  }
}

type Told = {
  say: (block: Extract<Open, { kind: "text" }>, piece: string) => void;
  onThought: (piece: string) => void;
  onCallText: (piece: CallPiece) => void;
};

function extend(block: Open, delta: Fields, { say, onThought, onCallText }: Told): void {
  switch (delta["type"]) {
    case "text_delta": {
      if (block.kind !== "text") throw misplaced(delta, block);
      const piece = text(delta["text"]);
      block.text += piece;
      if (piece) say(block, piece);
      return;
    }
    case "input_json_delta":
      // a tool call of an unknown kind has input too
      if (block.kind === "tool_use") {
        const piece = text(delta["partial_json"]);
        block.json += piece;
        onCallText({ name: block.name, text: piece, begins: false });
      } else if (block.kind !== "other") throw misplaced(delta, block);
      return;
    case "thinking_delta":
      if (block.kind !== "thinking") throw misplaced(delta, block);
      block.thinking += text(delta["thinking"]);
      onThought(text(delta["thinking"]));
      return;
    case "signature_delta":
      if (block.kind !== "thinking") throw misplaced(delta, block);
      block.signature += text(delta["signature"]);
  }
}

/** The blocks of the message. The output limit may have cut the last one. */
function contentOf(blocks: Open[], stopReason: string): Content[] {
  const limited = stopReason === "max_tokens" || stopReason === "model_context_window_exceeded";
  return blocks.flatMap((block, index) => wholeBlock(block, limited && index === blocks.length - 1));
}

/** Empty for a block that was cut: half a call must never run, and half a thought is refused when sent back. */
function wholeBlock(block: Open, mayBeCut: boolean): Content[] {
  switch (block.kind) {
    case "text":
      return block.text.trim() ? [{ type: "text", text: block.text }] : []; // blank text is refused when sent back
    case "thinking":
      return mayBeCut && !block.signature ? [] : [{ type: "thinking", thinking: block.thinking, signature: block.signature }];
    case "redacted_thinking":
      return [{ type: "redacted_thinking", data: block.data }];
    case "tool_use":
      return toolUse(block, mayBeCut);
    case "other":
      return [];
  }
}

function toolUse(block: Extract<Open, { kind: "tool_use" }>, mayBeCut: boolean): ToolUseBlock[] {
  const { id, name } = block;
  const input = block.json === "" ? block.input : parsedOrNothing(block.json);
  const cutBeforeItsInput = mayBeCut && block.json === "";
  if (isFields(input) && !cutBeforeItsInput) return [{ type: "tool_use", id, name, input }];
  if (mayBeCut) return [];
  throw new BrokenReply(`the input of its call of ${name} is not a whole JSON object`);
}

/** Counts are cumulative, so a later one replaces an earlier one. */
function addUsage(usage: Usage, counted: unknown): void {
  const counts = fields(counted);
  for (const key of Object.keys(usage) as (keyof Usage)[]) {
    const count = counts[key];
    if (typeof count === "number") usage[key] = count;
  }
}

function parsed(data: string): Fields {
  const event = parsedOrNothing(data);
  if (!isFields(event)) throw new BrokenReply("an event in it is not JSON");
  return event;
}

/** Undefined is not a JSON value; the callers report the error. */
const parsedOrNothing = (json: string) => ifPossible(() => JSON.parse(json) as unknown);

function fields(value: unknown): Fields {
  return isFields(value) ? value : {};
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function outOfOrder(event: Fields): BrokenReply {
  return new BrokenReply(`${text(event["type"])} came out of order`);
}

function misplaced(delta: Fields, block: Open): BrokenReply {
  return new BrokenReply(`${text(delta["type"])} came inside a block of ${block.kind}`);
}
