// How a rule judges its matches.
import { expect, it } from "vitest";
import {
  basicPair,
  looksRandom,
  named,
  namedLoosely,
  passwordNearName,
  passwordRule,
  rulesOf,
} from "../../../src/secrets/rules/context-rule.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");

it("rulesOf() splits the keywords and accepts as usual unless told otherwise", () => {
  const usual = passwordRule("az login|p4 ", /x/g);
  expect(usual).toEqual({ kind: "password", keywords: ["az login", "p4 "], pattern: /x/g, accepts: usual.accepts });
  expect([usual.accepts?.("hK92jLq8x", ""), usual.accepts?.("$PASSWORD", "")]).toEqual([true, false]);
  const own = () => true;
  expect(passwordRule("x", /x/g, own).accepts).toBe(own);
  expect(rulesOf("key")("x", /x/g)).toEqual({ kind: "key", keywords: ["x"], pattern: /x/g });
});

it.each([
  ["user:hK92jLq8x", true],
  ["user:$PASSWORD", false],
  ["Aladdin:open sesame", false], // the example of RFC 7617
  ["no colon in it", false],
])("basicPair() of %j is %s", (text, is) => {
  expect(basicPair(base64(text))).toBe(is);
});

it.each([
  ["hK92jLq8x", true],
  ["db.internal:5432", false],
  ["3f0c9a3e-1b2c-4d5e-8f90-a1b2c3d4e5f6", false],
  ["production", false],
])("looksRandom() of %j is %s", (text, is) => {
  expect(looksRandom(text)).toBe(is);
});

it("named() and namedLoosely() need a name that announces a secret, and the second a value that is no word", () => {
  expect([named("autumnleaf", "DB_PASSWORD"), namedLoosely("autumnleaf", "DB_PASSWORD")]).toEqual([true, false]);
  expect([named("hK92jLq8x", "DB_PASSWORD"), namedLoosely("hK92jLq8x", "DB_PASSWORD")]).toEqual([true, true]);
  expect([named("hK92jLq8x", "DB_HOST"), namedLoosely("hK92jLq8x", "password_reset_url")]).toEqual([false, false]);
  expect([passwordNearName("autumnleaf"), passwordNearName("hK92jLq8x")]).toEqual([false, true]);
});
