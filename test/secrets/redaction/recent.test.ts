// The memory of recently scanned texts.
import { expect, it } from "vitest";
import { recent } from "../../../src/secrets/redaction/recent.ts";

it("recent() keeps the newest texts, and no long one", () => {
  const facts = recent<number>({ texts: 2, longest: 5 });
  for (const [at, text] of ["a", "b", "a", "c", "too long"].entries()) facts.put(text, at);
  expect(["a", "b", "c", "too long"].map((text) => facts.get(text))).toEqual([2, undefined, 3, undefined]);
});
