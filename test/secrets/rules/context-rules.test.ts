// What all context rules have in common, and how a match becomes a finding.
import { describe, expect, it } from "vitest";
import type { ContextRule } from "../../../src/secrets/rules/context-rule.ts";
import { contextRules, findByContext } from "../../../src/secrets/rules/context-rules.ts";

const secret = "hK92jLq8x";

function found(text: string): string[] {
  return findByContext(text).map(({ start, end }) => text.slice(start, end));
}

it("contextRules have keywords in lower case, and patterns that find every match and name its secret", () => {
  const isSound = ({ keywords, pattern, each }: ContextRule) =>
    keywords.length > 0 &&
    keywords.every((keyword) => keyword !== "" && keyword === keyword.toLowerCase()) &&
    pattern.global &&
    (each?.global ?? true) &&
    /\(\?<(?:secret|other|bare)>/.test(`${pattern.source} ${each?.source}`) &&
    pattern.source.includes("(?<list>") === (each !== undefined);
  expect(contextRules.filter((rule) => !isSound(rule))).toEqual([]);
});

describe("findByContext()", () => {
  it.each([
    [`mysqladmin -u root password ${secret}`],
    [`curl -u "bob:${secret} x" http://localhost`],
    [`users = { "bob": "${secret}" }`],
    [`new PDO("mysql:host=db", "app", '${secret}')`],
    [`redis-cli -a ${secret}`],
  ])("finds the secret in `%s`", (text) => {
    expect(found(text).some((value) => value.startsWith(secret))).toBe(true);
  });

  it("leaves placeholders and ordinary words", () => {
    expect(found('redis-cli -a $REDIS_PASSWORD\nnew PDO("mysql:host=db", "app", getenv("X"))\nif (token == "missing") {}')).toEqual([]);
  });

  it("finds a match far from the keyword of another, and each of several", () => {
    const far = `redis-cli -a ${secret}\n${"x y z\n".repeat(4000)}redis-cli -a ${secret}7\n`;
    expect(found(far)).toEqual([secret, `${secret}7`]);
  });
});
