import { describe, expect, it } from "vitest";
import { lineCount, replacedLines, showCount } from "../../../src/tools/files/diff.ts";

const replaced = (before: string, after: string) => replacedLines({ before, after });
const numbers = (count: number, word = "line") => Array.from({ length: count }, (_, index) => `${word} ${index}\n`).join("");

describe("replacedLines()", () => {
  it("has the hunks of a diff, with their line numbers and three lines around", () => {
    expect(replaced("one\nzwei\nthree\nfour\n", "one\ntwo\nthree\n")).toEqual({
      lines: ["@@ -1,4 +1,3 @@", " one", "-zwei", "+two", " three", "-four"],
      counted: "+1 −2",
    });
    expect(replaced("a\n", "")).toEqual({ lines: ["@@ -1,1 +1,0 @@", "-a"], counted: "+0 −1" });
    expect(replaced("- a\n", "+ a\n")).toEqual({ lines: ["@@ -1,1 +1,1 @@", "-- a", "++ a"], counted: "+1 −1" });
  });

  it("tells apart lines that differ only in their end", () => {
    expect(replaced("a\r\n", "a\n")).toEqual({ lines: ["@@ -1,1 +1,1 @@", "-a\r", "+a"], counted: "+1 −1" });
    expect(replaced("a", "a\n")).toEqual({
      lines: ["@@ -1,1 +1,1 @@", "-a", "\\ No newline at end of file", "+a"],
      counted: "+1 −1",
    });
  });

  it("says that nothing changes, or that the old content is binary", () => {
    expect(replaced("a\n", "a\n")).toEqual({ lines: [], note: "nothing in it changes" });
    expect(replaced("GIF\0\n", "a\n")).toEqual({ note: "what it holds now is binary and is not shown" });
  });

  it("has all between the common beginning and end if there is too much to compare, and says so", () => {
    const note = "too much to compare: lines that stay may be among these";
    const old = numbers(120_000); // 1.4 MB
    const changed = old.replace("line 100\n", "").replace("line 102\n", "two\n");
    expect(replaced(old, changed)).toEqual({
      lines: ["- line 100", "- line 101", "- line 102", "+ line 101", "+ two"],
      counted: "+1 −2",
      note,
    });
    expect(replaced(old, `${old}more\n`)).toEqual({ lines: ["+ more"], counted: "+1 −0", note });
    expect(replaced(`first\n${old}`, old)).toEqual({ lines: ["- first"], counted: "+0 −1", note });
    expect(replaced(numbers(600), numbers(600, "other")).lines).toHaveLength(1_200);
    expect(replaced("x".repeat(2_000_000), "a").lines?.map(({ length }) => length)).toEqual([2_000_002, 3]);
  });
});

describe("lineCount()", () => {
  const count = (before: string, after: string) => showCount(lineCount({ before, after }));

  it("counts as git does, also when the first and the last line change", () => {
    const before = numbers(400);
    const after = before.replaceAll(/^line (\d*[05])$/gm, "row $1");
    expect([count(before, after), count(before, before), count("", "a\nb\n"), count("a\nb\nb\n", "a\nb\n")]).toEqual([
      "+80 −80",
      "+0 −0",
      "+2 −0",
      "+0 −1",
    ]);
    expect([count("\na\n", "\nb\n"), count("a", "a\n"), count("a\r\n", "a\n")]).toEqual(["+1 −1", "+1 −1", "+1 −1"]);
  });

  it("compares the part of a large file that changes, and says that it estimates where that is too much", () => {
    const large = numbers(100_000);
    expect(count(large, large.replace("line 50000\n", "changed\n"))).toBe("+1 −1");
    expect(count(large, numbers(100_000, "other"))).toBe("~ +100000 −100000");
  });
});
