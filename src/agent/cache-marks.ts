// Where a request carries `cache_control`, so that the provider reads from its cache what the request before it wrote there.
// The rules are those of https://platform.claude.com/docs/en/build-with-claude/prompt-caching: at most four marks; a mark writes
// what stands before it; from each mark the provider looks back over 20 blocks, the marked one included, for something written before.
import type { CacheControl, Message, ModelRequest, TextBlock, ToolResultBlock } from "./model.ts";

const lookBackBlocks = 20;
const mark: CacheControl = { type: "ephemeral" };

/**
 * The request with up to four marks; the one given stays as it is. The marks stand on the system prompt (tools come before it, so they
 * are covered), on the newest block, on the newest block of the request before this one, and, where those two lie further apart than the
 * provider looks back, once between them.
 */
export function withCacheMarks(request: ModelRequest): ModelRequest {
  const marked = new Set(markedPositions(request.messages));
  return { ...request, ...withPrefixMark(request), messages: withMarks(request.messages, marked) };
}

function withPrefixMark({ system, tools }: ModelRequest): Pick<ModelRequest, "system" | "tools"> {
  return system.length > 0 ? { system: markLast(system), tools } : { system, tools: markLast(tools) };
}

function markLast<T extends { cache_control?: CacheControl }>(blocks: T[]): T[] {
  return blocks.map((block, index) => (index === blocks.length - 1 ? { ...block, cache_control: mark } : block));
}

/** A place in all blocks of all messages, counted through. */
type Place = { position: number; message: number };

function markedPositions(messages: Message[]): number[] {
  const places = markablePlaces(messages);
  const newest = places.at(-1);
  if (!newest) return [];
  const lastReply = messages.findLastIndex(({ role }) => role === "assistant");
  const former = places.findLast(({ message }) => message < lastReply);
  const nearest = newest.position - (lookBackBlocks - 1);
  // also without a former reply: input that came after a failed request has joined the message that it sent
  const between = (former?.position ?? 0) < nearest ? places.find(({ position }) => position >= nearest) : undefined;
  return [former, between, newest].flatMap((place) => place?.position ?? []);
}

/** User blocks only: what an agent sends always ends in one, and the provider refuses marks on thinking and on empty text. */
function markablePlaces(messages: Message[]): Place[] {
  let position = -1;
  return messages.flatMap((message, index) =>
    message.content.flatMap((block): Place[] => {
      position++;
      const markable = message.role === "user" && !(block.type === "text" && block.text === "");
      return markable ? [{ position, message: index }] : [];
    }),
  );
}

function withMarks(messages: Message[], marked: Set<number>): Message[] {
  let position = -1;
  return messages.map((message) => {
    if (message.role === "assistant") {
      position += message.content.length;
      return message;
    }
    const content = message.content.map((block): TextBlock | ToolResultBlock => {
      position++;
      return marked.has(position) ? { ...block, cache_control: mark } : block;
    });
    return { ...message, content };
  });
}
