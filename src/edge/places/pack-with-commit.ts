// A pack of git with a commit more, as gitformat-pack(5) describes it.
import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";

/** Where a pack has the number of its objects. */
export const objectsAt = 8;

const typeOfCommit = 1;

/** `pack`: undefined for one without objects. `idBytes`: how long ids of that repository are. */
export function packWithCommit(pack: Buffer | undefined, text: Buffer, idBytes: number): Buffer {
  const parts = pack ? Buffer.from(pack.subarray(0, -idBytes)) : Buffer.from("PACK\0\0\0\x02\0\0\0\0", "latin1");
  parts.writeUInt32BE(parts.readUInt32BE(objectsAt) + 1, objectsAt);
  const all = Buffer.concat([parts, headOf(text.length), deflateSync(text)]);
  return Buffer.concat([
    all,
    createHash(idBytes === 32 ? "sha256" : "sha1")
      .update(all)
      .digest(),
  ]);
}

/** Type and size: four bits of the size in the first byte, then seven in each; the highest bit says that another byte follows. */
function headOf(size: number): Buffer {
  const bytes = [(typeOfCommit << 4) | (size & 15)];
  for (let rest = size >>> 4; rest > 0; rest >>>= 7) {
    bytes[bytes.length - 1]! |= 0x80;
    bytes.push(rest & 0x7f);
  }
  return Buffer.from(bytes);
}
