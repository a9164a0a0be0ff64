import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type JsonPath, jsonPlaces } from "../../src/settings/json-places.ts";

function placesOf(text: string) {
  const read = jsonPlaces(text);
  if ("fault" in read) throw new Error(read.fault.reason);
  return read.places;
}

function paths(value: unknown, path: JsonPath = []): { path: JsonPath; value: unknown }[] {
  const inner = typeof value === "object" && value !== null ? Object.entries(value) : [];
  return [{ path, value }, ...inner.flatMap(([key, each]) => paths(each, [...path, key]))];
}

const parses = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe("jsonPlaces()", () => {
  it("finds every value where JSON.parse reads it", () => {
    const json = fc.tuple(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom("", " ", "\t", "\n  "));
    fc.assert(
      fc.property(json, ([value, indent]) => {
        const text = `${indent}${JSON.stringify(value, undefined, indent)}${indent}`;
        const places = placesOf(text);
        for (const { path, value: there } of paths(JSON.parse(text))) {
          const { start, end } = places.at(path)!;
          expect(JSON.parse(text.slice(start, end))).toEqual(there);
        }
      }),
      { numRuns: 200, seed: 1 },
    );
  });

  it("finds a fault in exactly the texts that JSON.parse refuses", () => {
    const pieces = fc.array(
      fc.constantFrom("{", "}", "[", "]", ",", ":", '"a"', '"\\u00e9"', '"\\x"', "1", "-0.5e3", "01", "true", "nul", " ", "\n", "'a'"),
      {
        maxLength: 9,
      },
    );
    fc.assert(
      fc.property(pieces, (parts) => {
        const text = parts.join("");
        expect([text, "places" in jsonPlaces(text)]).toEqual([text, parses(text)]);
      }),
      { numRuns: 3_000, seed: 2 },
    );
  });

  it("gives the line of a value, or of the nearest one around it", () => {
    const places = placesOf('{\n  "a": {\n    "b": [1,\n      2]\n  }\n}');
    expect([["a"], ["a", "b"], ["a", "b", 1], ["a", "c"], ["x"], []].map((path) => places.line(path))).toEqual([2, 3, 4, 2, 1, 1]);
  });

  it("names the first duplicate key, and where a text stops being JSON", () => {
    expect(placesOf('{"a":{"x":1,"x":2},"a":3}').repeated).toEqual(["a", "x"]);
    expect(placesOf('{"a":1,"b":1}').repeated).toBeUndefined();
    expect(jsonPlaces('{\n  "a": 1,\n}')).toEqual({ fault: { line: 2, reason: expect.stringContaining('a comma before "}"') } });
    expect(jsonPlaces("[".repeat(101))).toMatchObject({ fault: { line: 1 } });
  });
});
