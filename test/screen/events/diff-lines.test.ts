import { stripVTControlCharacters } from "node:util";
import { expect, it } from "vitest";
import { diffLines } from "../../../src/screen/events/diff-lines.ts";
import { createHighlight } from "../../../src/screen/markdown/highlight.ts";
import { createStyle } from "../../../src/screen/style.ts";

const diff = `--- src/tax.js
+++ src/tax.js
@@ -11,3 +11,3 @@
 function tax(row) {
-  return Math.round(row.net * rate)
+  return Math.floor(row.net * rate)
 }
@@ -40,1 +40,2 @@
 last();
+more();
`;

it("numbers the lines of a diff, with those around the changes or without", () => {
  const style = createStyle({ NO_COLOR: "1", LANG: "C.UTF-8" });
  expect(diffLines(diff, { style, columns: 80, context: true })).toEqual([
    "      11      function tax(row) {",
    "      12   -    return Math.round(row.net * rate)",
    "      12   +    return Math.floor(row.net * rate)",
    "      13      }",
    "      …",
    "      40      last();",
    "      41   +  more();",
  ]);
  expect(diffLines(diff, { style, columns: 80, context: false })).toEqual([
    "      12   -    return Math.round(row.net * rate)",
    "      12   +    return Math.floor(row.net * rate)",
    "      41   +  more();",
  ]);
});

it("underlines the words that changed, in the colours of the language once they are loaded", () => {
  const style = createStyle({ LANG: "C.UTF-8" });
  const [, plain = ""] = diffLines(diff, { style, columns: 80, context: true });
  expect(plain).toContain(style.underline(style.syntax("round", "removed")));
  const coloured = diffLines(diff, { style, columns: 80, context: true, highlight: createHighlight() });
  expect(coloured[0]).toContain(style.syntax("function", "keyword"));
  expect(coloured[2]).toContain(style.syntax("+  ", "added"));
  expect(coloured[2]).toContain(style.underline(style.syntax("floor", "name")));
  expect(coloured.map(stripVTControlCharacters)[2]).toBe("      12   +    return Math.floor(row.net * rate)");
});
