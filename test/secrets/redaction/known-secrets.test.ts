// A known secret is recognized in every form that a program may give it.
import { expect, it } from "vitest";
import { knownSecrets } from "../../../src/secrets/redaction/known-secrets.ts";
import { seeded } from "../../process/seeded.ts";
import { draw } from "../labelled.ts";

const secret = `${draw("base62", 20, seeded(11))}&<${draw("base62", 8, seeded(12))}`;
const each = (form: (code: number) => string) => Array.from(secret, (letter) => form(letter.charCodeAt(0))).join("");

it.each([
  ["base64", Buffer.from(secret).toString("base64")],
  ["base64 of a user and it", Buffer.from(`ops:${secret}`).toString("base64")],
  ["base64 for addresses", Buffer.from(`?${secret}`).toString("base64url")],
  ["hexadecimal digits", Buffer.from(secret).toString("hex")],
  ["base32", "base32:"],
  ["an address", encodeURIComponent(secret)],
  ["entities", secret.replace("&", "&amp;").replace("<", "&lt;")],
  ["numbered entities", each((code) => `&#${code};`)],
  ["escapes of JSON", each((code) => `\\u${code.toString(16).padStart(4, "0")}`)],
])("knownSecrets() finds a secret in %s", (_, form) => {
  const known = knownSecrets();
  known.learn("token", secret);
  const text = `x ${form === "base32:" ? base32(secret) : form} y`;
  const found = known.find(text);
  let left = text;
  for (const { start, end } of found.toSorted((a, b) => b.start - a.start)) left = left.slice(0, start) + left.slice(end);
  expect([found.length > 0, left.length < 30]).toEqual([true, true]);
});

it("knownSecrets() does not take the markers of a key for a part of it", () => {
  const known = knownSecrets();
  known.learn("private-key", `-----BEGIN ${"PRIVATE"} KEY-----\n${draw("pem", 3, seeded(13))}\n-----END ${"PRIVATE"} KEY-----`);
  expect(known.find(`-----BEGIN ${"PRIVATE"} KEY-----`)).toEqual([]);
});

it("knownSecrets() does not take the beginning of a webhook's address for a part of it", () => {
  const known = knownSecrets();
  known.learn("slack-webhook", `https://hooks.slack.com/services/T${draw("uppernum", 8, seeded(14))}/B1/${draw("base62", 24, seeded(15))}`);
  expect(known.find("https://hooks.slack.com/services/")).toEqual([]);
});

function base32(value: string): string {
  const bits = Array.from(Buffer.from(value), (byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? []).map((five) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number.parseInt(five.padEnd(5, "0"), 2)]).join("");
}

it("does not take a placeholder inside a secret for a part of it", () => {
  const known = knownSecrets();
  known.learn("private-key", "[secret:password:1]MIIEvQIBADANBgkqhkiG9w0BAQEF[secret:token:2]");
  expect(known.find("[secret:password:3] and MIIEvQIBADANB")).toEqual([{ kind: "private-key", start: 24, end: 37 }]);
});
