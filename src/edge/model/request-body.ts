// Encodes a request as bytes. A conversation only grows, so each message is encoded once and copied once, and a long conversation costs little more
// than a short one: neither time nor bytes that nobody needs after the request.
import type { Message, ModelRequest } from "../../agent/ports/model.ts";

/**
 * Encodes like `JSON.stringify({ ...request, stream: true })`, in pieces and without lone surrogates: the provider refuses them, and every later
 * request with them. Objects that were encoded once must not be changed; nor must the pieces, which later requests share.
 */
export type RequestEncoder = (request: ModelRequest) => Buffer[];

/** Messages that follow each other in a conversation: a comma before each. */
type Chapter = { messages: readonly Message[]; bytes: Buffer };

/** Fewer bytes are copied for each request. */
const chapterBytes = 64 * 1024;

export function requestEncoder(): RequestEncoder {
  const known = new WeakMap<object, Buffer>();
  const chapters = new WeakMap<Message, Chapter>();
  const encoded = (part: object): Buffer => {
    const before = known.get(part);
    if (before) return before;
    const bytes = Buffer.from(json(part));
    known.set(part, bytes);
    return bytes;
  };
  const chapterAt = (messages: readonly Message[], at: number): Chapter | undefined => {
    const first = messages[at];
    const chapter = first && chapters.get(first);
    return chapter?.messages.every((message, n) => message === messages[at + n]) ? chapter : undefined;
  };
  /** What will be the same in the requests to come, once that is worth it. */
  const closed = (messages: readonly Message[]): Chapter | undefined => {
    const [first] = messages;
    const bodies = messages.map(encoded);
    if (!first || bodies.reduce((sum, { length }) => sum + length, 0) < chapterBytes) return undefined;
    const chapter = { messages, bytes: Buffer.concat(bodies.flatMap((body) => [comma, body])) };
    chapters.set(first, chapter);
    for (const message of messages) known.delete(message);
    return chapter;
  };
  return ({ messages, tools, ...rest }) => {
    const pieces: Buffer[] = [];
    let at = 0;
    const add = ({ messages, bytes }: Chapter) => {
      pieces.push(at === 0 ? bytes.subarray(comma.length) : bytes);
      at += messages.length;
    };
    for (let chapter = chapterAt(messages, at); chapter; chapter = chapterAt(messages, at)) add(chapter);
    const marked = messages.findIndex((message, n) => n >= at && isMarked(message));
    const chapter = closed(messages.slice(at, marked === -1 ? undefined : marked));
    if (chapter) add(chapter);
    const last = messages.slice(at).map((message) => (isMarked(message) ? Buffer.from(json(message)) : encoded(message)));
    const head = Buffer.from(`${json({ ...rest, stream: true }).slice(0, -1)},"tools":`);
    const end = last.flatMap((body, n) => (at + n === 0 ? body : [comma, body]));
    return [Buffer.concat([head, encoded(tools), opening]), ...pieces, Buffer.concat([...end, closing])];
  };
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

/** A message with a cache mark is made for one request and never reused. */
function isMarked({ content }: Message): boolean {
  return content.some((block) => "cache_control" in block);
}
