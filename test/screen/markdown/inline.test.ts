import { describe, expect, it } from "vitest";
import { inlineSpans } from "../../../src/screen/markdown/inline.ts";

/** Each span as `text` or `text<kind,kind>`. */
const spans = (text: string) =>
  inlineSpans(text)
    .map((span) => (span.as.length > 0 ? `${span.text}<${span.as.join(",")}>` : span.text))
    .join("|");

describe("inlineSpans()", () => {
  it.each([
    ["plain", "plain"],
    ["**bold** text", "bold<strong>| text"],
    ["*a* _b_", "a<emphasis>| |b<emphasis>"],
    ["**a *b* c**", "a <strong>|b<strong,emphasis>| c<strong>"],
    ["~~gone~~", "gone<strike>"],
    ["`a*b*`", "a*b*<code>"],
    ["``a`b``", "a`b<code>"],
    ["\\*not\\*", "*not*"],
  ])("%s is %s", (text, wanted) => expect(spans(text)).toBe(wanted));

  it.each(["**open", "a `b", "[text](", "~~x", "*", "snake_case_name", "2 * 3 * 4"])("leaves %s unchanged", (text) => {
    const found = inlineSpans(text);
    expect(found.map((span) => span.text).join("")).toBe(text);
    expect(found.filter(({ as }) => as.length > 0)).toEqual([]);
  });

  it("marks a link's text and its address", () => {
    const found = inlineSpans("see [the page](https://example.org/a) now");
    expect(found.find(({ as }) => as.includes("link"))?.text).toBe("the page");
    expect(found.some(({ text, as }) => as.includes("address") && text.includes("https://example.org/a"))).toBe(true);
  });

  it("parses a long run of marks quickly", () => {
    const text = "*a ".repeat(20_000);
    expect(
      inlineSpans(text)
        .map((span) => span.text)
        .join(""),
    ).toBe(text);
  });
});
