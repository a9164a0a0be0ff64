// The name that a client asks a server for in the first message of TLS (RFC 8446 §4.1.2, RFC 6066 §3).

/** `name`: undefined if the client names none. `partial`: more bytes are needed. `other`: it does not speak TLS, or names two hosts. */
export type Greeting = { kind: "greeting"; name: string | undefined } | { kind: "partial" } | { kind: "other" };

/** A client's hello may be split into several records; more than this is none. */
const longest = 64 * 1024;

export function readGreeting(bytes: Buffer): Greeting {
  const message = handshakeOf(bytes);
  if (typeof message === "string") return { kind: message === "partial" && bytes.length < longest ? "partial" : "other" };
  const at = reader(message);
  at.skip(2 + 32); // version, random
  at.skip(at.number(1)); // session
  at.skip(at.number(2)); // ciphers
  at.skip(at.number(1)); // compression
  const lists: Buffer[] = [];
  for (const end = at.number(2) + at.position(); at.position() < end && !at.isOver(); ) {
    const [type, length] = [at.number(2), at.number(2)];
    if (type === serverName) lists.push(message.subarray(at.position(), at.position() + length));
    at.skip(length);
  }
  const [list, another] = lists;
  return at.isOver() || another ? { kind: "other" } : { kind: "greeting", name: list && nameIn(list) };
}

const [handshake, clientHello, serverName] = [22, 1, 0];

/** The body of the client's hello, joined from its records. */
function handshakeOf(bytes: Buffer): Buffer | "partial" | "other" {
  let joined = Buffer.alloc(0);
  for (let at = 0; ; ) {
    if (bytes.length > at && bytes[at] !== handshake) return "other";
    if (bytes.length > at + 1 && bytes[at + 1] !== 3) return "other";
    if (bytes.length < at + 5) return "partial";
    const length = bytes.readUInt16BE(at + 3);
    joined = Buffer.concat([joined, bytes.subarray(at + 5, at + 5 + length)]);
    if (joined.length >= 1 && joined[0] !== clientHello) return "other";
    if (joined.length >= 4 && joined.length >= 4 + joined.readUIntBE(1, 3)) return joined.subarray(4, 4 + joined.readUIntBE(1, 3));
    at += 5 + length;
    if (length === 0) return "other";
  }
}

/** The list has entries of other types in theory; the first host name counts. */
function nameIn(list: Buffer): string | undefined {
  const at = reader(list);
  at.skip(2);
  while (!at.isOver() && at.position() < list.length) {
    const [type, length] = [at.number(1), at.number(2)];
    if (type === 0) return list.toString("latin1", at.position(), at.position() + length).toLowerCase();
    at.skip(length);
  }
  return undefined;
}

/** Reading beyond the end gives zeros, and `isOver` says so. */
function reader(bytes: Buffer) {
  let position = 0;
  return {
    position: () => position,
    isOver: () => position > bytes.length,
    skip(count: number) {
      position += count;
    },
    number(size: number) {
      const value = position + size <= bytes.length ? bytes.readUIntBE(position, size) : 0;
      position += size;
      return value;
    },
  };
}
