// The conversation as the model sees it, folded from transcript events: the same fold live and after a restart,
// so that a resumed agent sends the very messages it sent before.
import type { TranscriptEvent } from "../events.ts";
import {
  type AssistantMessage,
  isThought,
  type MediaBlock,
  type Message,
  type TextBlock,
  type ToolResultBlock,
  type ToolUseBlock,
  textOfResult,
  type UserMessage,
} from "../ports/model.ts";
import { mediaLeftOut } from "../prompt.ts";
import { createTokenCount, type TokenCount } from "../requests/tokens.ts";
import { cutMiddle } from "../result/result-budget.ts";

export interface History {
  apply(event: TranscriptEvent): void;
  /** All messages, the one being collected last. Every request built from it extends the one before, until a compaction. */
  messages(): Message[];
  /** Tool calls of the last reply that have no result yet, in the order of the reply. */
  pendingCalls(): ToolUseBlock[];
  /**
   * Splits the conversation for a compaction: the part to replace by a summary, and the part to keep, which is the current turn if its results have
   * not been sent.
   */
  compactable(): { messages: Message[]; keptTurn: ToolResultBlock[] | undefined };
  hasThoughts(): boolean;
  /** An image or a document that no reply has followed yet. */
  hasNewMedia(): boolean;
  /** Tokens of the conversation. */
  count: Omit<TokenCount, "apply">;
}

/** Folds the events so far, without what a rewind removed (rewind/conversation.ts); `apply` adds further events. */
export function createHistory(events: Iterable<TranscriptEvent> = []): History {
  let closed: Message[] = [];
  let calls: ToolUseBlock[] = [];
  let results = new Map<string, ToolResultBlock>();
  let texts: (TextBlock | MediaBlock)[] = [];
  /** A rewind's message is sent with the next input, so that an emptied conversation begins as a new one. */
  let ofRewind = "";
  const count = createTokenCount();

  const resultsInOrder = () => calls.flatMap((call) => results.get(call.id) ?? []);
  const collecting = (): UserMessage["content"] => [...resultsInOrder(), ...texts];
  const steps: { [Type in TranscriptEvent["type"]]?: (event: Extract<TranscriptEvent, { type: Type }>) => void } = {
    input(event) {
      if (ofRewind !== "") texts.push({ type: "text", text: ofRewind });
      ofRewind = "";
      for (const { text, media = [] } of event.inputs) texts.push({ type: "text", text }, ...media);
    },
    tool_ended(event) {
      results.set(event.id, resultBlock(event));
    },
    reply(event) {
      const content = collecting();
      if (content.length > 0) closed.push({ role: "user", content });
      closed.push(sendable(event.message));
      calls = event.message.content.filter((block) => block.type === "tool_use");
      results = new Map();
      texts = [];
    },
    rewound({ text }) {
      ofRewind = text;
    },
    compacted({ summary, resultLimit }) {
      const first: TextBlock = { type: "text", text: summary };
      if (calls.length > 0) {
        // its thoughts are bound to the conversation that the summary replaces
        closed = [{ role: "user", content: [first] }, ...closed.slice(-1).map(withoutThoughts)];
        results = new Map([...results].map(([id, block]) => [id, { ...block, content: shortened(block.content, resultLimit) }]));
      } else {
        closed = [];
        texts.unshift(first);
      }
    },
    thoughts_dropped() {
      closed = closed.map(withoutThoughts);
    },
    media_dropped() {
      results = new Map([...results].map(([id, block]) => [id, { ...block, content: withoutMedia(block.content) }]));
      texts = texts.map((block) => (block.type === "text" ? block : { type: "text", text: mediaLeftOut }));
    },
  };
  const history: History = {
    apply(event) {
      (steps[event.type] as ((event: TranscriptEvent) => void) | undefined)?.(event);
      count.apply(event);
    },
    messages() {
      const content = collecting();
      return content.length > 0 ? [...closed, { role: "user", content }] : [...closed];
    },
    pendingCalls: () => calls.filter((call) => !results.has(call.id)),
    compactable: () =>
      calls.length > 0 ? { messages: closed.slice(0, -1), keptTurn: resultsInOrder() } : { messages: [...closed], keptTurn: undefined },
    hasThoughts: () => closed.some(({ content }) => content.some(isThought)),
    hasNewMedia: () => texts.some(isMedia) || [...results.values()].some(({ content }) => hasMedia(content)),
    count,
  };
  for (const event of events) history.apply(event);
  return history;
}

function resultBlock(event: Extract<TranscriptEvent, { type: "tool_ended" }>): ToolResultBlock {
  const text = event.text || "(no output)";
  const content = event.media ? [{ type: "text" as const, text }, ...event.media] : text;
  const block: ToolResultBlock = { type: "tool_result", tool_use_id: event.id, content };
  return event.isError ? { ...block, is_error: true } : block;
}

/** An image cannot be cut: where results are, it goes. */
export function shortened(content: ToolResultBlock["content"], limit: number | undefined): ToolResultBlock["content"] {
  if (typeof content === "string") return cutMiddle(content, { limit });
  return limit === undefined ? content : cutMiddle(`${textOfResult(content)}\n[shown before, and left out to make room]`, { limit });
}

/** The reply as the provider accepts it: not empty, as about one reply in a thousand is, and not ending in a thought. */
function sendable({ content }: AssistantMessage): AssistantMessage {
  const kept = content.slice(0, content.findLastIndex((block) => !isThought(block)) + 1);
  return { role: "assistant", content: kept.length > 0 ? kept : [{ type: "text", text: noReply }] };
}

/** Stands for a reply with nothing in it, which nobody wrote. */
export const noReply = "(no reply)";

const isMedia = ({ type }: TextBlock | MediaBlock) => type !== "text";

const hasMedia = (content: ToolResultBlock["content"]) => typeof content !== "string" && content.some(isMedia);

function withoutMedia(content: ToolResultBlock["content"]): ToolResultBlock["content"] {
  return hasMedia(content) ? `${textOfResult(content)}\n${mediaLeftOut}` : content;
}

function withoutThoughts(message: Message): Message {
  if (message.role === "user" || !message.content.some(isThought)) return message;
  return sendable({ role: "assistant", content: message.content.filter((block) => !isThought(block)) });
}
