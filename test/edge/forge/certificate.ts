// A certificate for localhost or another name that a test signs itself: Node reads certificates but creates none, and openssl is not installed everywhere.
import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

/** Self-signed, valid for a day. */
export function localhostCertificate(host = "localhost"): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(set(sequence(oid(0x55, 4, 3), element(0x0c, Buffer.from(host)))));
  const hosts = sequence(element(0x82, Buffer.from(host)), element(0x87, Buffer.from([127, 0, 0, 1])));
  const extensions = sequence(
    sequence(oid(0x55, 0x1d, 0x13), element(0x01, Buffer.from([0xff])), element(0x04, sequence(element(0x01, Buffer.from([0xff]))))), // basic constraints: this is an authority
    sequence(oid(0x55, 0x1d, 0x11), element(0x04, hosts)), // subject alternative names
  );
  const signature = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2)); // ecdsa-with-SHA256
  const body = sequence(
    element(0xa0, element(0x02, Buffer.from([2]))),
    element(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    signature,
    name,
    sequence(time(-day), time(day)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    element(0xa3, extensions),
  );
  const signed = sequence(body, signature, element(0x03, Buffer.concat([Buffer.from([0]), sign("sha256", body, privateKey)])));
  const lines = signed
    .toString("base64")
    .match(/.{1,64}/g)
    ?.join("\n");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}

const day = 24 * 60 * 60 * 1000;

/** X.690: a tag, the length, the content. */
function element(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Buffer[]) => element(0x30, Buffer.concat(parts));
const set = (...parts: Buffer[]) => element(0x31, Buffer.concat(parts));
const oid = (...bytes: number[]) => element(0x06, Buffer.from(bytes));
const time = (fromNowMs: number) =>
  element(0x17, Buffer.from(`${new Date(Date.now() + fromNowMs).toISOString().slice(2, 19).replaceAll(/[-T:]/g, "")}Z`));
