// Encodes a request as bytes. A conversation only grows, so each message is encoded once into bytes that all later requests share, and a long
// conversation costs little more than a short one: neither time nor bytes that nobody needs after the request.
import type { Message, ModelRequest } from "../../agent/ports/model.ts";

/**
 * Encodes like `JSON.stringify({ ...request, stream: true })`, in pieces and without lone surrogates: the provider refuses them, and every later
 * request with them. Objects that were encoded once must not be changed; nor must the pieces, which later requests share.
 */
export type RequestEncoder = (request: ModelRequest) => Buffer[];

/** Messages that follow each other in a conversation: a comma before each. */
type Chapter = { messages: readonly Message[]; bytes: Buffer };

/** The end of a conversation, at which it grows. `ends`: of each message in the bytes, behind whose last one there may be room. */
type Page = { messages: Message[]; ends: number[]; bytes: Buffer };

/** As much as is kept together; a page that has grown to this is a chapter. */
const chapterBytes = 64 * 1024;

export function requestEncoder(): RequestEncoder {
  const known = new WeakMap<object, Buffer>();
  const chapters = new WeakMap<Message, Chapter>();
  const pages = new WeakMap<Message, Page>();
  const encoded = (part: object): Buffer => {
    const bytes = known.get(part) ?? Buffer.from(json(part));
    known.set(part, bytes);
    return bytes;
  };
  const chapterAt = (messages: readonly Message[], at: number): Chapter | undefined => {
    const first = messages[at];
    const chapter = first && chapters.get(first);
    return chapter?.messages.every((message, n) => message === messages[at + n]) ? chapter : undefined;
  };
  /** The bytes of messages that have no chapter yet. What will be the same in the requests to come becomes one, once that is worth it. */
  const bytesOf = (messages: readonly Message[]): Buffer => {
    const [first] = messages;
    if (!first) return nothing;
    const page = pageFor(messages, pages.get(first));
    const bytes = page.bytes.subarray(0, page.ends[messages.length - 1]);
    if (bytes.length < chapterBytes) {
      pages.set(first, page);
      return bytes;
    }
    const chapter = { messages, bytes: Buffer.from(bytes) };
    chapters.set(first, chapter);
    pages.delete(first);
    return chapter.bytes;
  };
  return ({ messages, tools, ...rest }) => {
    const pieces: Buffer[] = [];
    let at = 0;
    for (let chapter = chapterAt(messages, at); chapter; chapter = chapterAt(messages, at)) {
      pieces.push(chapter.bytes);
      at += chapter.messages.length;
    }
    const marked = messages.findIndex((message, n) => n >= at && isMarked(message));
    const same = messages.slice(at, marked === -1 ? undefined : marked);
    pieces.push(bytesOf(same));
    const last = messages
      .slice(at + same.length)
      .flatMap((message) => [comma, isMarked(message) ? Buffer.from(json(message)) : encoded(message)]);
    const head = Buffer.from(`${json({ ...rest, stream: true }).slice(0, -1)},"tools":`);
    const [begin = nothing, ...others] = [...pieces, Buffer.concat([...last, closing])].filter(({ length }) => length > 0);
    return [Buffer.concat([head, encoded(tools), opening]), messages.length > 0 ? begin.subarray(comma.length) : begin, ...others];
  };
}

/** That page with the messages that it lacks. One that goes on with others is left as it is, since a request may be about to be sent from it. */
function pageFor(messages: readonly Message[], before: Page = { messages: [], ends: [], bytes: nothing }): Page {
  let same = 0;
  while (same < messages.length && before.messages[same] === messages[same]) same++;
  if (same === messages.length) return before;
  const isItsEnd = same === before.messages.length;
  const page = isItsEnd ? before : { messages: before.messages.slice(0, same), ends: before.ends.slice(0, same), bytes: before.bytes };
  if (!isItsEnd) page.bytes = withRoom(page, 0);
  for (const message of messages.slice(same)) {
    const text = `,${json(message)}`;
    const from = page.ends.at(-1) ?? 0;
    const end = from + Buffer.byteLength(text);
    if (end > page.bytes.length) page.bytes = withRoom(page, end);
    page.bytes.write(text, from);
    page.messages.push(message);
    page.ends.push(end);
  }
  return page;
}

/** Its bytes in another place with twice the room. */
function withRoom({ ends, bytes }: Page, least: number): Buffer {
  const roomier = Buffer.allocUnsafeSlow(Math.max(least, 2 * bytes.length, chapterBytes / 8));
  bytes.copy(roomier, 0, 0, ends.at(-1) ?? 0);
  return roomier;
}

/** Models write lone surrogates into calls, and cutting a text may leave one. */
function json(part: object): string {
  const text = JSON.stringify(part);
  return text.includes("\\ud") ? text.replaceAll(halfCharacter, "\\ufffd") : text;
}

/** As JSON writes one: backslashes before it that come in pairs are characters of the text. */
const halfCharacter = /(?<=(?<!\\)(?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;

const opening = Buffer.from(',"messages":[');
const comma = Buffer.from(",");
const closing = Buffer.from("]}");
const nothing = Buffer.alloc(0);

/** A message with a cache mark is made for one request and never reused. */
function isMarked({ content }: Message): boolean {
  return content.some((block) => "cache_control" in block);
}
