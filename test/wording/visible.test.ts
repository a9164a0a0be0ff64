import { expect, it } from "vitest";
import { visible } from "../../src/wording/visible.ts";

it.each([
  ["plain text, ünïcode 漢字 🎉", "plain text, ünïcode 漢字 🎉"],
  ["a\u001b[2Jb\u0007\rc\n", "a\\x1b[2Jb\\x07\\x0dc\\x0a"],
  ["\u009b31m\u007f", "\\x9b31m\\x7f"],
  ["abc\u202edef\u2066", "abc\\u{202e}def\\u{2066}"],
  ["zero\u200bwidth\ufeff", "zero\\u{200b}width\\u{feff}"],
  ["tag\u{e0041}", "tag\\u{e0041}"],
  ["half \ud83d", "half \\u{d83d}"],
])("%j is shown as %j", (text, shown) => {
  expect(visible(text)).toBe(shown);
});
