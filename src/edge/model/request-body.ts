// Encodes a request as bytes. A conversation only grows, so each message is encoded once, and a long conversation costs little more than a
// short one.
import type { Message, ModelRequest } from "../../agent/ports/model.ts";

/**
 * Encodes like `JSON.stringify({ ...request, stream: true })`, without lone surrogates: the provider refuses them, and every later request
 * with them. Objects that were encoded once must not be changed.
 */
export type RequestEncoder = (request: ModelRequest) => Uint8Array;

export function requestEncoder(): RequestEncoder {
  const known = new WeakMap<object, Buffer>();
  const encoded = (part: object): Buffer => {
    const before = known.get(part);
    if (before) return before;
    const bytes = Buffer.from(json(part));
    known.set(part, bytes);
    return bytes;
  };
  return ({ messages, tools, ...rest }) => {
    const head = Buffer.from(`${json({ ...rest, stream: true }).slice(0, -1)},"tools":`);
    const bodies = messages.map((message) => (isMarked(message) ? Buffer.from(json(message)) : encoded(message)));
    return Buffer.concat([head, encoded(tools), opening, ...bodies.flatMap((body, n) => (n === 0 ? body : [comma, body])), closing]);
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
