import { expect, it } from "vitest";
import { changedWords } from "../../../src/screen/events/changed-words.ts";

it("finds the words of each line that the other does not have, and marks nothing where little is the same", () => {
  expect([
    changedWords("  return Math.round(row.net * rate)", "  return Math.floor(row.net + rate)"),
    changedWords("one b", "one new b"),
    changedWords("const x = 1;", "export function y() {"),
    changedWords("same", "same"),
  ]).toEqual([
    [
      [
        [14, 19],
        [28, 29],
      ],
      [
        [14, 19],
        [28, 29],
      ],
    ],
    [[], [[4, 8]]],
    [[], []],
    [[], []],
  ]);
});

it("compares no line of very many words", () => {
  const long = "word ".repeat(50_000);
  expect(changedWords(long, `${long}x`)).toEqual([[], []]);
});
