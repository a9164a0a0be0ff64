import { describe, expect, it } from "vitest";
import { pageText } from "../../../src/tools/web/web-text.ts";

const page = (html: string, type = "text/html") => pageText(Buffer.from(html), type);

describe("pageText()", () => {
  it("gives the words of a page, with its links and without its navigation and pictures", async () => {
    const html = `<html><body><nav><a href="/">Home</a></nav><h1>Dates</h1><p>See <a href="https://example.org/iso">the norm</a>.</p>
      <img src="a.png" alt="logo"><script>alert(1)</script></body></html>`;
    expect(await page(html)).toEqual({ ok: true, text: "Dates\n\nSee the norm [https://example.org/iso]." });
  });

  it.each(["application/json", "application/ld+json; charset=utf-8", "text/plain", ""])(
    "leaves text of the type %j as it is",
    async (type) => {
      expect(await page('{"a": "<b>1</b>"}', type)).toEqual({ ok: true, text: '{"a": "<b>1</b>"}' });
    },
  );

  it("guesses the type of a page without one by how it begins", async () => {
    expect(await page("<!DOCTYPE html><p>one</p>", "")).toEqual({ ok: true, text: "one" });
  });

  it.each(["image/png", "application/octet-stream", "application/pdf"])("refuses %s", async (type) =>
    expect(await page("x", type)).toMatchObject({ ok: false, reason: expect.stringContaining(type) }),
  );

  it("refuses binary data with a text type, except for UTF-16, which contains zeros", async () => {
    expect(await pageText(Buffer.from([104, 0, 105]), "text/plain")).toMatchObject({ ok: false });
    const utf16 = Buffer.from("hi", "utf16le");
    expect(await pageText(utf16, "text/plain; charset=utf-16le")).toEqual({ ok: true, text: "hi" });
  });

  it("reads the header's charset, then the page's own, and UTF-8 if neither is known", async () => {
    const latin = Buffer.from([0x3c, 0x70, 0x3e, 0xe9]); // <p>é
    expect(await pageText(latin, "text/html; charset=iso-8859-1")).toEqual({ ok: true, text: "é" });
    const own = Buffer.concat([Buffer.from('<meta charset="iso-8859-1"><p>'), Buffer.from([0xe9])]);
    expect(await pageText(own, "text/html")).toEqual({ ok: true, text: "é" });
    expect(await page("é", "text/plain; charset=no-such-one")).toEqual({ ok: true, text: "é" });
  });

  it("cuts a page at an unrealistic nesting", async () => {
    const read = await page(`<p>before</p>${"<div>".repeat(5_000)}deep`);
    expect(read).toMatchObject({ ok: true, text: expect.stringContaining("before") });
    expect(read.ok && read.text).not.toContain("deep");
  });
});
