import { describe, expect, it } from "vitest";
import { visibleLine, visibleText } from "../../src/screen/visible-text.ts";

describe("visibleText()", () => {
  it.each([
    ["a colour", "\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"],
    ["a title", "\x1b]0;title\x07", "\\x1b]0;title\\x07"],
    ["a device control string", "\x1bPpayload\x1b\\", "\\x1bPpayload\\x1b\\"],
    ["an eight-bit sequence", "\x9b31m", "\\x9b31m"],
    ["a carriage return that would overwrite", "rm -rf x\rls", "rm -rf x\\x0dls"],
    ["a line of another system", "a\r\nb", "a\nb"],
    ["a delete", "a\x7f", "a\\x7f"],
    ["a reversed reading order", "a\u202eb", "a\\u{202e}b"],
    ["a tag character", "a\u{e0041}b", "a\\u{e0041}b"],
    ["a tab", "a\tb", "a    b"],
    ["a lone surrogate", "a\ud800b", "a\\u{d800}b"],
    ["a selector that hides data", "a\ufe0fb\u{e0100}", "a\\u{fe0f}b\\u{e0100}"],
    ["joiners that a script needs", "\u0645\u06cc\u200c\u062e\u0648", "\u0645\u06cc\u200c\u062e\u0648"],
    ["a joiner that it does not need", "pass\u200dword", "pass\\u{200d}word"],
    ["emoji of several characters", "❤️ 👍🏽 1️⃣ 🏳️‍🌈", "❤️ 👍🏽 1️⃣ 🏳️‍🌈"],
    ["plain text, accents and emoji", "naïve 日本 👩‍👩‍👧", "naïve 日本 👩‍👩‍👧"],
  ])("shows %s", (_what, text, expected) => {
    expect(visibleText(text)).toBe(expected);
  });

  it("keeps one line one line", () => {
    expect(visibleLine("a\nb\r\nc")).toBe("a b c");
  });
});
