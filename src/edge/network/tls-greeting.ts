// The name that a client asks a server for in the first message of TLS (RFC 8446 §4.1.2, RFC 6066 §3).

/**
 * `name`: undefined if the client names none. `partial`: more bytes are needed. `hidden`: another name may be in it that only the server can
 * read (RFC 9849), and nobody can tell whether there is. `other`: it does not speak TLS, or names more than one host.
 */
export type Greeting = { kind: "greeting"; name: string | undefined } | { kind: "partial" | "hidden" | "other" };

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
  let isHidden = false;
  const end = at.number(2) + at.position();
  while (at.position() < end && !at.isOver()) {
    const [type, length] = [at.number(2), at.number(2)];
    if (type === serverName) lists.push(message.subarray(at.position(), at.position() + length));
    isHidden ||= type === encryptedHello;
    at.skip(length);
  }
  if (at.position() !== message.length || lists.length > 1) return { kind: "other" };
  if (isHidden) return { kind: "hidden" };
  const name = lists[0] && nameIn(lists[0]);
  return lists[0] && name === undefined ? { kind: "other" } : { kind: "greeting", name };
}

const [handshake, clientHello, serverName, encryptedHello] = [22, 1, 0, 0xfe0d];

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

/** Of a list with one host name and nothing else, as every client sends it: a server may take any of several. */
function nameIn(list: Buffer): string | undefined {
  const at = reader(list);
  const isOne = at.number(2) === list.length - 2 && at.number(1) === 0 && at.number(2) === list.length - 5;
  return isOne ? list.toString("latin1", 5).toLowerCase() : undefined;
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
