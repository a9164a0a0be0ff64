import { stripVTControlCharacters } from "node:util";
import { visibleWidth } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { expect, it } from "vitest";
import { clamp, wrap } from "../../src/screen/line-widths.ts";

it("continues a broken word without a blank, in its colour", () => {
  const path = `/home/${"deep/".repeat(16)}file`;
  const rows = wrap(`\x1b[2m  It lies in ${path}, all of it\x1b[0m`, 40, 4).split("\n");
  expect(
    rows
      .map(stripVTControlCharacters)
      .map((row) => row.trim())
      .join(""),
  ).toBe(`It lies in${path}, all of it`);
  expect(rows.slice(1).map((row) => row.slice(0, 8))).toEqual(Array(rows.length - 1).fill("    \x1b[2m"));
});

it("begins a word that is too long after the indent", () => {
  expect(
    wrap(`\x1b[2m    /${"x".repeat(50)}\x1b[0m`, 30, 4)
      .split("\n")
      .map(stripVTControlCharacters),
  ).toEqual([`    /${"x".repeat(25)}`, `    ${"x".repeat(25)}`]);
});

it("loses and adds no character, whatever the words and the width", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "漢", "é", "/", "-"), minLength: 1, maxLength: 90 });
  const coloured = word.map((text) => `\x1b[36m${text}\x1b[0m`);
  fc.assert(
    fc.property(fc.array(fc.oneof(word, coloured), { maxLength: 12 }), fc.integer({ min: 26, max: 100 }), (words, width) => {
      const rows = wrap(words.join(" "), width, 6).split("\n");
      const bare = (text: string) => stripVTControlCharacters(text).replaceAll(" ", "");
      expect(bare(rows.join(""))).toBe(bare(words.join("")));
      expect(rows.every((row) => visibleWidth(row) <= width)).toBe(true);
    }),
  );
});

it("cuts a line without colours without adding any", () => {
  expect([clamp("while :; do sleep 1; done", 10), clamp("short", 10)]).toEqual(["while :; …", "short"]);
  expect(clamp("\x1b[2mwhile :; do sleep 1; done\x1b[0m", 10)).toContain("\x1b[");
});

it("keeps a duration and the changed lines on the row of the word before", () => {
  const bare = (text: string, width: number, hang: number) => wrap(text, width, hang).split("\n").map(stripVTControlCharacters);
  expect(bare("  ada  ✓ task-6  4 tests of test/table.test.js pass.\x1b[2m  7.6s\x1b[22m", 54, 9)).toEqual([
    "  ada  ✓ task-6  4 tests of test/table.test.js",
    "         pass.  7.6s",
  ]);
  expect(bare("One row for each route.\x1b[2m  src/summary.js +27 −6 src/text.js +1 −0\x1b[22m", 46, 2)).toEqual([
    "One row for each route.  src/summary.js +27 −6",
    "  src/text.js +1 −0",
  ]);
  expect(bare("One row for each route.\x1b[2m  src/summary.js +27 −6\x1b[22m", 42, 2)).toEqual([
    "One row for each route.",
    "  src/summary.js +27 −6",
  ]);
  expect(bare("A word and 1m03s, then more words", 12, 0)).toEqual(["A word and", "1m03s, then", "more words"]);
});
