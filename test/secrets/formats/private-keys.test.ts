import { describe, expect, it } from "vitest";
import { findPrivateKeys } from "../../../src/secrets/formats/private-keys.ts";
import { seeded } from "../../process/seeded.ts";
import { draw } from "../labelled.ts";

const body = draw("pem", 4, seeded(21));
const begin = "-----BEGIN RSA PRIVATE KEY-----";
const end = "-----END RSA PRIVATE KEY-----";

const found = (text: string) => findPrivateKeys(text).map((key) => text.slice(key.start, key.end));

describe("findPrivateKeys()", () => {
  it("finds a block from its first marker to its last", () => {
    expect(found(`a\n${begin}\n${body}\n${end}\nb`)).toEqual([`${begin}\n${body}\n${end}`]);
  });

  it("finds a key on one line, with the line ends that are written in it", () => {
    const key = `${begin}\\n${body.replaceAll("\n", "\\n")}\\n${end}\\n`;
    expect(found(`"key": "${key}"`)).toEqual([key]);
  });

  it("finds what is left of a block that was cut off", () => {
    const [piece] = found(`${begin}\n${body}`);
    expect(piece).toBe(`${begin}\n${body}`);
  });

  it("leaves the text behind a block that was cut off", () => {
    expect(found(`${begin}\n${body}\nand then some words`)[0]).not.toContain("words");
  });

  it("finds the body without markers by how it begins", () => {
    const key = `MC4CAQAwBQYDK2Vw${draw("base64", 48, seeded(22))}`;
    expect(found(`key = ${key}`)).toEqual([key]);
  });

  it("finds a whole block that is encoded once more", () => {
    const encoded = Buffer.from(`${begin}\n${body}\n${end}\n`).toString("base64");
    expect(found(`KEY=${encoded}`)).toEqual([encoded]);
  });

  it("finds only the private members of a key as JSON", () => {
    const secret = draw("base64url", 43, seeded(23));
    const open = draw("base64url", 43, seeded(24));
    expect(found(JSON.stringify({ kty: "EC", crv: "P-256", x: open, d: secret }))).toEqual([secret]);
  });

  it("finds only the private parts of a key as XML", () => {
    const secret = draw("base64", 60, seeded(25));
    expect(found(`<RSAKeyValue><Modulus>${draw("base64", 60, seeded(26))}</Modulus><P>${secret}</P></RSAKeyValue>`)).toEqual([secret]);
  });

  it.each([
    ["a public key", `-----BEGIN PUBLIC KEY-----\n${body}\n-----END PUBLIC KEY-----`],
    ["a certificate", `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----`],
    ["an example", `${begin}\n...\n${end}`],
    ["a template", `${begin}\n\${KEY_BODY_FROM_THE_VAULT}\n${end}`],
    ["a public key as JSON", JSON.stringify({ kty: "RSA", n: draw("base64url", 80, seeded(27)), e: "AQAB" })],
    ["words about keys", "BEGIN by making a private key, kty says which."],
  ])("finds nothing in %s", (_what, text) => {
    expect(found(text)).toEqual([]);
  });
});
