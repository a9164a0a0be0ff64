// Where a request carries `cache_control`, so that the provider reads from its cache what the request before it wrote there.
// The rules are those of https://platform.claude.com/docs/en/build-with-claude/prompt-caching: at most four marks; a mark writes
// what stands before it; from each mark the provider looks back over 20 blocks, the marked one included, for something written before.
import type { CacheControl, Message, ModelRequest, UserMessage } from "../ports/model.ts";

const lookBackBlocks = 20;
const mark: CacheControl = { type: "ephemeral" };

/**
 * The request with up to four marks; the one given stays as it is. The marks stand on the system prompt (tools come before it, so they
 * are covered), on the newest block, on the newest block of the request before this one, and, where those two lie further apart than the
 * provider looks back, once between them. Only the end of the conversation is looked at: its length costs nothing.
 */
export function withCacheMarks(request: ModelRequest): ModelRequest {
  const messages = [...request.messages];
  for (const place of markedPlaces(messages)) messages[place.message] = withMark(messages[place.message], place.block);
  return { ...request, ...withPrefixMark(request), messages };
}

function withPrefixMark({ system, tools }: ModelRequest): Pick<ModelRequest, "system" | "tools"> {
  return system.length > 0 ? { system: markLast(system), tools } : { system, tools: markLast(tools) };
}

function markLast<T extends { cache_control?: CacheControl }>(blocks: T[]): T[] {
  return blocks.map((block, index) => (index === blocks.length - 1 ? { ...block, cache_control: mark } : block));
}

/** `fromEnd` counts the blocks of all messages from the last one, which is 0. */
type Place = { message: number; block: number; fromEnd: number };

function markedPlaces(messages: Message[]): Place[] {
  const lastReply = messages.findLastIndex(({ role }) => role === "assistant");
  let newest: Place | undefined;
  let former: Place | undefined;
  let farthest: Place | undefined;
  for (const place of markablePlacesBackwards(messages)) {
    newest ??= place;
    const inReach = place.fromEnd - newest.fromEnd < lookBackBlocks;
    if (inReach) farthest = place;
    if (place.message < lastReply) former = place;
    // without a former reply, input that came after a failed request has joined the message that it sent
    if (former || (lastReply < 0 && !inReach)) {
      const between = inReach || farthest === newest ? undefined : farthest;
      return [former, between, newest].filter((found) => found !== undefined);
    }
  }
  return newest ? [newest] : [];
}

/** User blocks only: what an agent sends always ends in one, and the provider refuses marks on thinking and on empty text. */
function* markablePlacesBackwards(messages: Message[]): Generator<Place> {
  let fromEnd = 0;
  for (let message = messages.length - 1; message >= 0; message--) {
    const { role, content } = messages[message] as Message;
    for (let block = content.length - 1; block >= 0; block--, fromEnd++) {
      const found = content[block];
      if (role === "user" && !(found?.type === "text" && found.text === "")) yield { message, block, fromEnd };
    }
  }
}

function withMark(message: Message | undefined, at: number): Message {
  if (message?.role !== "user") throw new Error("only messages of the user carry marks");
  const content = message.content.map((block, index): UserMessage["content"][number] =>
    index === at ? { ...block, cache_control: mark } : block,
  );
  return { ...message, content };
}
