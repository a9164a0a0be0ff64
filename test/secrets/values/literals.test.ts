import { expect, it } from "vitest";
import { literalAt } from "../../../src/secrets/values/literals.ts";

it.each([
  ['"abc"', "abc"],
  ["'a\\'b'", "a\\'b"],
  ["`x`", "x"],
  ['"open', undefined],
  ['"""long"""', "long"],
  ['r#"raw"#', "raw"],
  ["%q(ruby)", "ruby"],
  ["q{perl}", "perl"],
  ["[[lua]]", "lua"],
  ["<![CDATA[x]]>", "x"],
  ['Some("rust")', "rust"],
  ['@"c sharp"', "c sharp"],
  ['\\"escaped\\"', "escaped"],
  ["<<EOT\nvalue\nEOT", "value"],
  ["&quot;html&quot;", "html"],
  ["bare", undefined],
  ['"two\nlines"', undefined],
])("literalAt() finds in %j the text %j", (text, expected) => {
  const found = literalAt(text, 0);
  expect(found && text.slice(found.start, found.end)).toBe(expected);
});

it("literalAt() says where the closing mark ends", () => {
  const text = `x = r#"raw"# + y`;
  expect(text.slice(literalAt(text, 4)?.after)).toBe(" + y");
});
