// The loop's port to a model provider: one attempt at one request. It returns a value and never throws. The shapes are those of the Messages API
// (https://docs.anthropic.com/en/api/messages), so that a request can be compared, logged and replayed as sent.

import type { Media } from "../../tools/files/media.ts";

export type CacheControl = { type: "ephemeral" };
export type TextBlock = { type: "text"; text: string; cache_control?: CacheControl };
export type MediaBlock = Media & { cache_control?: CacheControl };
export type ThinkingBlock = { type: "thinking"; thinking: string; signature: string } | { type: "redacted_thinking"; data: string };
export type ToolUseBlock = { type: "tool_use"; id: string; name: string; input: unknown };
export type ToolResultBlock = {
  type: "tool_result";
  tool_use_id: string;
  content: string | (TextBlock | Media)[];
  is_error?: boolean;
  cache_control?: CacheControl;
};
export type UserMessage = { role: "user"; content: (ToolResultBlock | TextBlock | MediaBlock)[] };
export type AssistantMessage = { role: "assistant"; content: (TextBlock | ThinkingBlock | ToolUseBlock)[] };
export type Message = UserMessage | AssistantMessage;
export type ToolSchema = { name: string; description: string; input_schema: Record<string, unknown>; cache_control?: CacheControl };

/** `display`: with a summary of the thoughts, which newer models leave out otherwise. */
export type ThinkingSetting =
  | { type: "adaptive"; display: "summarized" }
  | { type: "enabled"; budget_tokens: number }
  | { type: "disabled" | "between_tools" };

/** The body of one request, `stream` aside. */
export type ModelRequest = {
  model: string;
  max_tokens: number;
  system: TextBlock[];
  tools: ToolSchema[];
  messages: Message[];
  thinking?: ThinkingSetting;
  output_config?: { effort: "low" | "high" };
};

/** Tokens of one reply, in the provider's four classes; they do not overlap. */
export type Usage = {
  input_tokens: number;
  output_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
};

/**
 * Why an attempt gave no reply. `retry`: the same request may succeed later. `overflow`: the context is too long.
 * `spent`: a budget at the provider is used up, so that asking again soon does not help. `fatal`: the request or the key is refused.
 */
export type ModelFault = {
  verdict: "retry" | "overflow" | "spent" | "fatal";
  /** One sentence for a person: what was asked, what came back. */
  reason: string;
  status?: number;
  /** The provider's `retry-after`, in milliseconds. */
  retryAfterMs?: number;
};

export type ModelReply = {
  kind: "reply";
  /** Whole: every tool call in it has parsed input. A call that was cut off by `max_tokens` is left out. */
  message: AssistantMessage;
  stop_reason: string;
  usage: Usage;
  /** How many of the output's tokens were thoughts; absent if the provider does not say. */
  thoughtTokens?: number;
  /** The model that answered, as the provider names it. */
  model: string;
};

/** The received part of an incomplete reply. The provider charges for it. */
export type PartialReply = {
  model: string;
  /** As the provider counted at the beginning: the prompt, and hardly any of the output. */
  usage: Usage;
  /** Of text, thoughts and the arguments of calls, in UTF-8. */
  streamedBytes: number;
};

export type ModelOutcome =
  | ModelReply
  | { kind: "aborted"; partial?: PartialReply }
  | { kind: "fault"; fault: ModelFault; partial?: PartialReply };

export type AttemptOptions = {
  signal: AbortSignal;
  /** How many attempts at this request came before: 0, 1, 2 … */
  retryCount: number;
  /** Streamed text. If the attempt fails, the text shown so far is discarded. */
  onText: (text: string) => void;
  /** Thoughts as they stream, for the person's screen alone. */
  onThought?: ((text: string) => void) | undefined;
  /** The input of calls as it streams, for the person's screen alone. */
  onCallText?: ((piece: CallPiece) => void) | undefined;
  /** What the person should know about this provider, once. */
  onNotice?: ((text: string) => void) | undefined;
};

/** `begins`: the first piece of this call. */
export type CallPiece = { name: string; text: string; begins: boolean };

export interface Model {
  /** Sends the request once. Resolves with a fault for every error, including a stream that breaks off. */
  attempt(request: ModelRequest, options: AttemptOptions): Promise<ModelOutcome>;
}

export function isThought({ type }: { type: string }): boolean {
  return type === "thinking" || type === "redacted_thinking";
}

/** The text of a result, without its images. */
export function textOfResult(content: ToolResultBlock["content"]): string {
  if (typeof content === "string") return content;
  return content.flatMap((block) => (block.type === "text" ? block.text : [])).join("\n");
}
