// A request as bytes. A conversation only grows, so each message is encoded once, and a long one costs little more than a short one.
import type { Message, ModelRequest } from "../../agent/model.ts";

/** Encodes like `JSON.stringify({ ...request, stream: true })`. What was given before must not be changed afterwards. */
export type RequestEncoder = (request: ModelRequest) => Uint8Array;

export function requestEncoder(): RequestEncoder {
  const known = new WeakMap<object, Buffer>();
  const encoded = (part: object): Buffer => {
    const before = known.get(part);
    if (before) return before;
    const bytes = Buffer.from(JSON.stringify(part));
    known.set(part, bytes);
    return bytes;
  };
  return ({ messages, tools, ...rest }) => {
    const head = Buffer.from(`${JSON.stringify({ ...rest, stream: true }).slice(0, -1)},"tools":`);
    const bodies = messages.map((message) => (isMarked(message) ? Buffer.from(JSON.stringify(message)) : encoded(message)));
    return Buffer.concat([head, encoded(tools), opening, ...bodies.flatMap((body, n) => (n === 0 ? body : [comma, body])), closing]);
  };
}

const opening = Buffer.from(',"messages":[');
const comma = Buffer.from(",");
const closing = Buffer.from("]}");

/** A message with a cache mark is made for one request and never seen again. */
function isMarked({ content }: Message): boolean {
  return content.some((block) => "cache_control" in block);
}
