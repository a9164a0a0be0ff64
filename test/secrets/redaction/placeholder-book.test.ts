import { describe, expect, it } from "vitest";
import { highestNumber, placeholderBook, placeholdersIn } from "../../../src/secrets/redaction/placeholder-book.ts";

describe("placeholderBook()", () => {
  it("has one placeholder for a text, and another one for each other text", () => {
    const book = placeholderBook();
    const first = book.issue("token", "abc");
    expect([first, book.issue("password", "abc"), book.issue("token", "def")]).toEqual([first, first, "[secret:token:2]"]);
    expect(first).toBe("[secret:token:1]");
  });

  it("turns a kind into the allowed characters", () => {
    const book = placeholderBook();
    const odd = [book.issue("AWS key/ID", "a"), book.issue("", "b"), book.issue("x".repeat(90), "c")];
    expect(odd).toEqual(["[secret:aws-key-id:1]", "[secret:value:2]", `[secret:${"x".repeat(40)}:3]`]);
    expect(odd.map((one) => placeholdersIn(one))).toEqual(odd.map((one) => [one]));
  });

  it("restores texts in the file that they came from, byte by byte", () => {
    const book = placeholderBook();
    const mark = book.issue("password", "pässword");
    book.cameFrom("/a", `x = ${mark}`, "utf8");
    const bytes = Buffer.concat([Buffer.from([0xff]), Buffer.from(`y = ${mark}\n`)]);
    const expected = Buffer.concat([Buffer.from([0xff]), Buffer.from("y = pässword\n")]);
    expect(book.restore("/a", bytes)).toEqual({ ok: true, bytes: expected });
  });

  it("restores none in another file, and names those that it refuses once each", () => {
    const book = placeholderBook();
    const mark = book.issue("token", "abc");
    book.cameFrom("/a", mark, "utf8");
    expect(book.restore("/b", Buffer.from(`${mark} ${mark}`))).toEqual({ ok: false, strangers: [mark] });
    expect(book.restore("/b", Buffer.from("plain"))).toEqual({ ok: true, bytes: Buffer.from("plain") });
  });

  it("refuses a part of a placeholder that was not in the file before", () => {
    const book = placeholderBook();
    const mark = book.issue("github-token", "abc");
    book.cameFrom("/a", `t = ${mark}\n`, "utf8");
    expect(book.restore("/a", Buffer.from(`t = ${mark.slice(0, -1)}`))).toEqual({ ok: false, broken: mark });
    expect(book.restore("/a", Buffer.from(`t = ${mark.slice(2)}`))).toEqual({ ok: false, broken: mark });
    expect(book.restore("/a", Buffer.from("t = gone"))).toMatchObject({ ok: true });
  });

  it("knows the placeholders of an earlier process, and does not reuse their numbers", () => {
    const book = placeholderBook(7);
    expect([book.isOwn("[secret:token:7]"), book.isOwn("[secret:token:8]")]).toEqual([true, false]);
    expect(book.issue("token", "abc")).toBe("[secret:token:8]");
  });

  it("leaves a text about placeholders alone, and never uses it for a secret", () => {
    const book = placeholderBook();
    book.leave("[secret:token:1]");
    expect(book.isOwn("[secret:token:1]")).toBe(false);
    expect(book.issue("token", "abc")).toBe("[secret:token:2]");
  });
});

it("highestNumber() reads all texts", () => {
  expect(highestNumber(["a [secret:token:3]", "[secret:key:12] [secret:key:4]", "none"])).toBe(12);
  expect(highestNumber([])).toBe(0);
});
