import { createTwoFilesPatch } from "diff";
import { expect, it } from "vitest";
import { diffsOf } from "../../../src/app/acp/diffs.ts";

const diffs = (before: string, after: string) => {
  const lines = createTwoFilesPatch("a", "a", before, after, undefined, undefined, { context: 3 }).split("\n");
  return diffsOf(lines, "/repo/a");
};

it("shows each hunk as the lines before and after, and the line of the first change", () => {
  const numbers = Array.from({ length: 20 }, (_, index) => `${index + 1}\n`);
  const changed = numbers.with(4, "five\n").with(17, "eighteen\n");
  expect(diffs(numbers.join(""), changed.join(""))).toEqual({
    line: 5,
    content: [
      { type: "diff", path: "/repo/a", oldText: "2\n3\n4\n5\n6\n7\n8\n", newText: "2\n3\n4\nfive\n6\n7\n8\n" },
      { type: "diff", path: "/repo/a", oldText: "15\n16\n17\n18\n19\n20\n", newText: "15\n16\n17\neighteen\n19\n20\n" },
    ],
  });
});

it("keeps that a file is new, and that a text has no line break at its end", () => {
  expect(diffs("", "one\n").content).toEqual([{ type: "diff", path: "/repo/a", oldText: null, newText: "one\n" }]);
  expect(diffs("one", "one\n").content).toEqual([{ type: "diff", path: "/repo/a", oldText: "one", newText: "one\n" }]);
  expect(diffs("a\nb", "c\nb").content).toEqual([{ type: "diff", path: "/repo/a", oldText: "a\nb", newText: "c\nb" }]);
  expect(diffs("--\n++\n", "++\n").content).toEqual([{ type: "diff", path: "/repo/a", oldText: "--\n++\n", newText: "++\n" }]);
});
