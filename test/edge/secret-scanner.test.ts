import { expect, it } from "vitest";
import { secretScanner } from "../../src/edge/secret-scanner.ts";
import { seeded } from "../process/seeded.ts";
import { draw } from "../secrets/labelled.ts";

const token = `ghp_${draw("base62", 36, seeded(11))}`;

it.each(["", "\uFEFF", "\uFEFF\uFEFF", "a\uFEFF"])("finds a secret after %j", async (before) => {
  const text = `${before}t ${token}\nend`;
  const found = await secretScanner()(text);
  expect(found.map(({ kind, start, end }) => [kind, text.slice(start, end)])).toEqual([["github", token]]);
});
