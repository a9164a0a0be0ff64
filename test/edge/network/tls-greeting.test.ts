// The name in the first message of a TLS client, from the bytes that a real client sends, in any pieces, and from damaged ones.
import { createServer } from "node:net";
import { connect } from "node:tls";
import { expect, it } from "vitest";
import { readGreeting } from "../../../src/edge/network/tls-greeting.ts";
import { random } from "../../fuzz/random.ts";

/** What a client sends before it hears anything. */
function hello(servername: string | undefined): Promise<Buffer> {
  return new Promise((resolve) => {
    const server = createServer((socket) =>
      socket.once("data", (bytes: Buffer) => {
        socket.destroy();
        server.close();
        resolve(bytes);
      }),
    );
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { port: number };
      const client = connect({ port, host: "127.0.0.1", ...(servername !== undefined && { servername }), rejectUnauthorized: false });
      client.on("error", () => {});
    });
  });
}

/** The same message in records of this size. */
function inRecords(bytes: Buffer, size: number): Buffer {
  const body = bytes.subarray(5);
  const records: Buffer[] = [];
  for (let at = 0; at < body.length; at += size) {
    const part = body.subarray(at, at + size);
    records.push(Buffer.from([22, 3, 1, part.length >> 8, part.length & 255]), part);
  }
  return Buffer.concat(records);
}

it("is read from a whole greeting, and no sooner", async () => {
  const bytes = await hello("Packages.example.org");
  expect(readGreeting(bytes)).toEqual({ kind: "greeting", name: "packages.example.org" });
  const early = Array.from({ length: bytes.length }, (_, length) => readGreeting(bytes.subarray(0, length)).kind);
  expect(new Set(early)).toEqual(new Set(["partial"]));
  expect([1, 7, 100].map((size) => readGreeting(inRecords(bytes, size)))).toEqual(
    Array(3).fill({ kind: "greeting", name: "packages.example.org" }),
  );
});

it("is undefined where the client names none, and anything else is no greeting", async () => {
  expect(readGreeting(await hello(undefined))).toEqual({ kind: "greeting", name: undefined });
  const others = [
    "GET / HTTP/1.1\r\n",
    "SSH-2.0-x\r\n",
    "\x16\x02\x01",
    "\x16\x03\x01\x00\x05\x02\x00\x00\x01\x00",
    "\x17\x03\x03\x00\x01x",
  ];
  expect(others.map((text) => readGreeting(Buffer.from(text, "latin1")).kind)).toEqual(others.map(() => "other"));
  expect(readGreeting(Buffer.alloc(70_000, "\x16\x03\x01\x40\x00\x01\xff\xff\xff", "latin1")).kind).toBe("other");
});

/** The same greeting with other bytes at the end of its extensions, and with its lengths made to fit. */
function extended(bytes: Buffer, more: Buffer): Buffer {
  const longer = Buffer.concat([bytes, more]);
  const lengths: [at: number, size: 2 | 3][] = [
    [3, 2],
    [6, 3],
    [extensionsAt(bytes), 2],
  ];
  for (const [place, size] of lengths) longer.writeUIntBE(longer.readUIntBE(place, size) + more.length, place, size);
  return longer;
}

/** An extension of this type. */
function extension(type: number, content: Buffer): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16BE(type, 0);
  head.writeUInt16BE(content.length, 2);
  return Buffer.concat([head, content]);
}

/** A list of host names, as RFC 6066 has it. */
function listOf(...names: string[]): Buffer {
  const entries = names.map((name) => Buffer.concat([Buffer.from([0, 0, name.length]), Buffer.from(name)]));
  const list = Buffer.concat([Buffer.alloc(2), ...entries]);
  list.writeUInt16BE(list.length - 2, 0);
  return extension(0, list);
}

it("is of no use where there are two names, of which a server may take either", async () => {
  const [bytes, none] = [await hello("one.example"), await hello(undefined)];
  expect(readGreeting(extended(none, listOf("one.example")))).toEqual({ kind: "greeting", name: "one.example" });
  expect(readGreeting(extended(bytes, listOf("two.example"))).kind).toBe("other");
  expect(readGreeting(extended(none, listOf("one.example", "two.example"))).kind).toBe("other");
  expect(readGreeting(extended(none, listOf())).kind).toBe("other");
  const behind = extended(bytes, listOf("two.example"));
  behind.writeUInt16BE(behind.readUInt16BE(extensionsAt(bytes)) - listOf("two.example").length, extensionsAt(bytes));
  expect(readGreeting(behind).kind).toBe("other");
});

it("is of no use where another name may be encrypted, which only the server can read", async () => {
  expect(readGreeting(extended(await hello("one.example"), extension(0xfe0d, Buffer.alloc(32))))).toEqual({ kind: "hidden" });
});

/** Where the length of all extensions is. */
function extensionsAt(bytes: Buffer): number {
  const session = 5 + 4 + 2 + 32;
  const ciphers = session + 1 + bytes[session]!;
  const compression = ciphers + 2 + bytes.readUInt16BE(ciphers);
  return compression + 1 + bytes[compression]!;
}

it("of damaged bytes is never a crash", async () => {
  const [bytes, chance] = [await hello("example.org"), random(7)];
  for (let count = 0; count < 20_000; count++) {
    const damaged = Buffer.from(bytes.subarray(0, chance.below(bytes.length + 1)));
    for (let edits = chance.below(4); edits >= 0 && damaged.length > 0; edits--) damaged[chance.below(damaged.length)] = chance.below(256);
    expect(["greeting", "partial", "hidden", "other"]).toContain(readGreeting(damaged).kind);
  }
});
