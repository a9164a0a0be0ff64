import { describe, expect, it } from "vitest";
import { because, done, refused, unfinished } from "../../src/tools/answer.ts";

describe("done()", () => {
  it("names the files that a call wrote, if it wrote any", () => {
    expect(done("Read.", "1 line")).toEqual({ text: "Read.", summary: "1 line", isError: false });
    expect(done("Written.", "+1 −0", ["a.ts"])).toEqual({ text: "Written.", summary: "+1 −0", isError: false, touched: ["a.ts"] });
  });
});

describe("refused()", () => {
  it.each([
    ["it is a folder", "it is a folder."],
    ["There is none.", "There is none."],
    ["Did you mean a.ts?", "Did you mean a.ts?"],
  ])("ends the sentence %o as a sentence", (reason, text) => {
    expect(refused(reason, "refused")).toEqual({ text, summary: "refused", isError: true });
  });
});

describe("because()", () => {
  it("continues a sentence without a second full stop, and adds nothing without a reason", () => {
    expect([because("too long."), because("too long"), because(""), because(undefined)]).toEqual([": too long", ": too long", "", ""]);
  });
});

describe("unfinished()", () => {
  it("says why results are missing", () => {
    expect(unfinished("nothing")).toBe("");
    expect(unfinished("limit")).toContain("use a narrower path or pattern");
    expect(unfinished("time")).toContain("out of time");
  });
});
