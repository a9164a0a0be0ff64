import { describe, expect, it } from "vitest";
import { z } from "zod";
import { contentOf, firstProblem } from "../../src/board/json-file.ts";

const schema = z.object({ name: z.string(), parts: z.array(z.object({ n: z.number() })).optional() });

describe("contentOf()", () => {
  it.each([undefined, "", "{", "null", "[]", '{"name":1}', Buffer.from([0xff, 0xfe])])("%j has none", (text) => {
    expect(contentOf(text, schema)).toBe(undefined);
  });

  it("reads text and bytes", () => {
    expect([contentOf('{"name":"ü"}', schema), contentOf(Buffer.from('{"name":"ü"}'), schema)]).toEqual([{ name: "ü" }, { name: "ü" }]);
  });
});

describe("firstProblem()", () => {
  it.each([
    [null, "it must be an object"],
    [{ name: 1, parts: 2 }, '"name" must be a string'],
    [{ name: "", parts: [{ n: 1 }, {}] }, '"parts.1.n" is missing'],
  ])("of %j", (value, problem) => {
    const parsed = schema.safeParse(value);
    expect(parsed.success || firstProblem(parsed.error)).toBe(problem);
  });
});
