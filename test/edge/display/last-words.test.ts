// What is reported of the output of a program that failed.
import { expect, it } from "vitest";
import { lastWords, linesOf, newestBytes } from "../../../src/edge/display/last-words.ts";

it("lastWords() keeps the last lines that say something, and the end", () => {
  const lines = Array.from({ length: 40 }, (_, at) => `line ${at}`);
  expect(lastWords([...lines, "", "  "], { kind: "exited", code: 3 }).split("\n")).toEqual([...lines.slice(-30), "(exit status 3)"]);
  expect(lastWords(["x  "], undefined)).toBe("x");
  expect([lastWords([], { kind: "signalled", signal: 9 }), lastWords([], { kind: "signalled", signal: 999 })]).toEqual([
    "(killed by SIGKILL)",
    "(killed by signal 999)",
  ]);
  expect(lastWords([], { kind: "unknown" })).toBe("(ended, exit status unknown)");
});

it("linesOf() is the text without what steers a terminal, with the last version of an overwritten line", () => {
  const bytes = Buffer.from("\u001b]0;title\u0007\u001b[31mred\u001b[0m\r\n10 %\r20 %\r30 %\na\tb\u0000c\n");
  expect(linesOf(bytes)).toEqual(["red", "30 %", "a\tbc", ""]);
});

it("newestBytes() forgets the oldest", () => {
  const kept = newestBytes(4);
  for (const part of ["abcd", "efgh", "i"]) kept.add(Buffer.from(part));
  expect(kept.bytes().toString()).toBe("fghi");
});
