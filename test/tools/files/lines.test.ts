import { describe, expect, it } from "vitest";
import { changedLines, cutLine, isCut, linesOf, numbered, withinBytes } from "../../../src/tools/files/lines.ts";
import { plural } from "../../../src/wording/figures.ts";

describe("linesOf()", () => {
  it.each([
    ["", []],
    ["a", ["a"]],
    ["a\n", ["a"]],
    ["a\r\nb\r\n", ["a", "b"]],
    ["a\n\n", ["a", ""]],
  ])("of %o is %o", (text, lines) => {
    expect(linesOf(text)).toEqual(lines);
  });
});

describe("numbered()", () => {
  it("counts from the first line, and cuts what would fill the context window", () => {
    expect(numbered(["a", "b"], 9)).toEqual(["9\ta", "10\tb"]);
    expect(numbered(["x".repeat(2_003)], 1)).toEqual([`1\t${"x".repeat(2_000)}… (+3 characters)`]);
    expect([isCut("x".repeat(2_000)), isCut("x".repeat(2_001))]).toEqual([false, true]);
  });
});

describe("cutLine()", () => {
  it("leaves no half of a character at the cut", () => {
    expect(cutLine("ab😀", 3)).toBe("ab\uFFFD… (+1 characters)");
    expect(cutLine("ab😀", 4)).toBe("ab😀");
  });
});

describe("withinBytes()", () => {
  it("counts bytes and line ends, and stops at the first line that does not fit", () => {
    expect(withinBytes(["ab", "cd"], 6)).toEqual(["ab", "cd"]);
    expect(withinBytes(["ab", "cd"], 5)).toEqual(["ab"]);
    expect(withinBytes(["é"], 2)).toEqual([]);
    expect(withinBytes(["a", "long line", "b"], 6)).toEqual(["a"]);
    expect(withinBytes([], 0)).toEqual([]);
  });
});

describe("changedLines()", () => {
  it.each([
    [["a", "b"], ["a", "b"], { added: 0, removed: 0 }],
    [["a", "b", "c"], ["a", "x", "y", "c"], { added: 2, removed: 1 }],
    [[], ["a"], { added: 1, removed: 0 }],
    [["a", "a"], ["a"], { added: 0, removed: 1 }],
  ])("from %o to %o is %o", (before, after, count) => {
    expect(changedLines(before, after)).toEqual(count);
  });
});

describe("plural()", () => {
  it("counts one and many", () => {
    expect([plural(1, "line"), plural(0, "line"), plural(2, "match", "matches")]).toEqual(["1 line", "0 lines", "2 matches"]);
  });
});
