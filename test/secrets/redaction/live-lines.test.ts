// What is shown of a command that runs: whole lines, and no part of a key.
import { describe, expect, it } from "vitest";
import { liveLines } from "../../../src/secrets/redaction/live-lines.ts";
import { createRedactor } from "../../../src/secrets/redaction/redactor.ts";
import { seeded } from "../../process/seeded.ts";
import { draw } from "../labelled.ts";

function said(...parts: string[]): string[] {
  const lines: string[] = [];
  const write = liveLines(createRedactor({ mode: "redact", scanner: async () => [], variables: [] }), (text) => lines.push(text));
  for (const part of parts) write(part);
  return lines;
}

const random = seeded(31);
const pem = draw("pem", 12, random);
const d = draw("base64url", 43, random);
const base64 = (size: number) => draw("base64", size, random);
const folded = (text: string) => text.replaceAll(/.{64}/g, "$&\n");
const puttyLines = folded(base64(190));

/** A text, and the secret parts of it. */
const keys: [what: string, text: string, secrets: string[]][] = [
  ["a block", `-----BEGIN RSA PRIVATE KEY-----\n${pem}\n-----END RSA PRIVATE KEY-----`, pem.split("\n")],
  [
    "a block with the numbers of its lines",
    ["-----BEGIN EC PRIVATE KEY-----", ...pem.split("\n"), "-----END EC PRIVATE KEY-----"]
      .map((line, at) => `${at + 1}\t${line}`)
      .join("\n"),
    pem.split("\n"),
  ],
  [
    "a key of PuTTY",
    `PuTTY-User-Key-File-2: ssh-ed25519\nEncryption: none\nComment: me\nPublic-Lines: 1\n${base64(60)}\nPrivate-Lines: 3\n${puttyLines}\nPrivate-MAC: ${"ab".repeat(20)}`,
    puttyLines.split("\n"),
  ],
  ["a key without markers", folded(`MIIEpAIBAAKC${pem.replaceAll("\n", "")}`), pem.split("\n").map((line) => line.slice(20, 40))],
  ["a key of a signer", `untrusted comment: minisign encrypted secret key\nRW${base64(100)}`, []],
  ["a key as JSON", `{\n  "d": "${d}",\n  "crv": "P-256",\n  "kty": "EC"\n}`, [d]],
  [
    "a key as XML",
    `<RSAKeyValue>\n  <Modulus>${base64(60)}</Modulus>\n  <P>${d.replaceAll(/[-_]/g, "A")}</P>\n</RSAKeyValue>`,
    [d.replaceAll(/[-_]/g, "A")],
  ],
];

describe("liveLines()", () => {
  it("passes lines on when they have ended, whole", () => {
    expect(said("one\ntw", "o", "\nthr", "ee")).toEqual(["one\n", "two\n"]);
    expect(said("10 %\r20", " %\r")).toEqual(["10 %\r", "20 %\r"]);
  });

  it("keeps nothing of a line that is too long, not even its end, and goes on with the next", () => {
    const part = "x".repeat(40_000);
    expect(said(part, part, "secret", " end\nnext\nla", "st\n")).toEqual(["\nnext\n", "last\n"]);
  });

  it.each(keys)("says nothing of %s that is printed line by line, and all lines around it", (_what, text, secrets) => {
    const all = said(...`before\n${text}\n-- after\n`.split(/(?<=\n)/));
    const shown = all.join("");
    expect([all[0], /\[secret:private-key:\d+\]/.test(shown), shown.endsWith("-- after\n")]).toEqual(["before\n", true, true]);
    for (const secret of secrets) expect(shown).not.toContain(secret.slice(0, 16));
  });

  it.each(keys)("says nothing of %s that is cut anywhere", (_what, text, secrets) => {
    const whole = `before\n${text}\n-- after\n`;
    for (let cut = 1; cut < whole.length; cut += 97)
      for (const secret of secrets) expect(said(whole.slice(0, cut), whole.slice(cut)).join("")).not.toContain(secret.slice(0, 16));
  });

  it.each([
    ["a word that begins as a key may", "MIIfoo and more.\n"],
    ["a marker and no key", "-----BEGIN RSA PRIVATE KEY-----\nis how a key begins.\n"],
    ["an object that is no key", '{\n  "name": "value",\n'],
  ])("holds nothing back of %s", (_what, text) => {
    expect(said(...text.split(/(?<=\n)/)).join("")).toBe(text);
  });

  it("holds no more back than a key can have", () => {
    const endless = `-----BEGIN RSA PRIVATE KEY-----\n${`${base64(64)}\n`.repeat(400)}`;
    const all = said(...`${endless}`.split(/(?<=\n)/)).join("");
    expect(all.length).toBeGreaterThan(0);
    expect(all).toMatch(/^\[secret:private-key:\d+\]/);
  });
});
