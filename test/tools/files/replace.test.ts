import { describe, expect, it } from "vitest";
import { replaceText, type Wanted } from "../../../src/tools/files/replace.ts";

const replace = (text: string | Buffer, wanted: Partial<Wanted> & Pick<Wanted, "old" | "new">) => {
  const result = replaceText(Buffer.from(text), { all: false, ...wanted });
  return result.ok ? { ...result, bytes: result.bytes.toString("latin1") } : result;
};
const reason = (text: string, wanted: Parameters<typeof replace>[1]) => {
  const result = replace(text, wanted);
  return result.ok ? "replaced" : result.reason;
};

describe("replaceText()", () => {
  it("changes the one place and counts its lines", () => {
    expect(replace("a\nb\nc\n", { old: "b\n", new: "x\ny\n" })).toEqual({
      ok: true,
      bytes: "a\nx\ny\nc\n",
      places: 1,
      first: { from: 2, to: 3 },
    });
  });

  it("leaves a byte order mark, CRLF and bytes that are not UTF-8 unchanged", () => {
    const bytes = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from("one\r\ntwo\r\n"), Buffer.from([0xff])]);
    expect(replace(bytes, { old: "one\ntwo", new: "1\n2" })).toMatchObject({ bytes: "\xef\xbb\xbf1\r\n2\r\n\xff" });
    expect(replace(bytes, { old: "two", new: "2\n3" })).toMatchObject({ bytes: "\xef\xbb\xbfone\r\n2\r\n3\r\n\xff" });
  });

  it("takes the line ends of the place in a file that has both", () => {
    expect(replace("a\nb\r\nc\n", { old: "a\n", new: "x\ny\n" })).toMatchObject({ bytes: "x\ny\nb\r\nc\n" });
  });

  it("needs a text that occurs only once, and names the lines of the others", () => {
    expect(reason("x\ny\nx\n", { old: "x", new: "z" })).toMatch(/2 times \(lines 1, 3\)/);
    expect(replace("x\ny\nx\n", { old: "x", new: "z", all: true })).toMatchObject({
      bytes: "z\ny\nz\n",
      places: 2,
    });
  });

  it("counts a line with two places once", () => {
    expect(replace("x x\n", { old: "x", new: "y", all: true })).toMatchObject({ places: 2 });
  });

  it("splits no placeholder", () => {
    const placeholder = "[secret:token:1]";
    const wanted = { old: "token", new: "key", placeholders: [placeholder] };
    expect(replace(`a = ${placeholder}`, wanted)).toMatchObject({ ok: false });
    expect(replace(`token = ${placeholder}`, wanted)).toMatchObject({ bytes: `key = ${placeholder}`, places: 1 });
    expect(replace(`a = ${placeholder}`, { ...wanted, old: placeholder })).toMatchObject({ bytes: "a = key" });
  });

  it("says what was probably meant if nothing is found", () => {
    expect(reason("a\n  b\n  c\n", { old: "b\nc", new: "x" })).toMatch(/2 lines from line 2 on/);
    expect(reason("a\nb\n", { old: "1\ta\n2\tb", new: "x" })).toMatch(/line numbers/);
    expect(reason("a\n", { old: "\uFFFD", new: "x" })).toContain("UTF-8");
    expect(reason("a\n", { old: "zebra", new: "x" })).toMatch(/not found/);
  });

  it("refuses what would change nothing", () => {
    expect(replace("a", { old: "", new: "x" })).toMatchObject({ ok: false });
    expect(replace("a\r\n", { old: "a\r\n", new: "a\n" })).toMatchObject({ ok: false });
  });
});
