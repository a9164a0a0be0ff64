import { describe, expect, it } from "vitest";
import { visibleLine, visibleText } from "../../src/screen/visible-text.ts";

describe("visibleText()", () => {
  it.each([
    ["a colour", "\x1b[31mred\x1b[0m", "^[[31mred^[[0m"],
    ["a title", "\x1b]0;title\x07", "^[]0;title^G"],
    ["a device control string", "\x1bPpayload\x1b\\", "^[Ppayload^[\\"],
    ["an eight-bit sequence", "\x9b31m", "\\u{9b}31m"],
    ["a carriage return that would overwrite", "rm -rf x\rls", "rm -rf x^Mls"],
    ["a line of another system", "a\r\nb", "a\nb"],
    ["a delete", "a\x7f", "a^?"],
    ["a reversed reading order", "a\u202eb", "a\\u{202e}b"],
    ["a tag character", "a\u{e0041}b", "a\\u{e0041}b"],
    ["a tab", "a\tb", "a    b"],
    ["a lone surrogate", "a\ud800b", "a\ufffdb"],
    ["plain text, accents and emoji", "naïve 日本 👩‍👩‍👧", "naïve 日本 👩‍👩‍👧"],
  ])("shows %s", (_what, text, expected) => {
    expect(visibleText(text)).toBe(expected);
  });

  it("keeps one line one line", () => {
    expect(visibleLine("a\nb\r\nc")).toBe("a b c");
  });
});
