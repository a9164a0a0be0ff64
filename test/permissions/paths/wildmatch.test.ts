import { describe, expect, it } from "vitest";
import { matches, wildcards } from "../../../src/permissions/paths/wildmatch.ts";

/** Matches as a pattern for paths: only `**` crosses a slash. */
const path = (pattern: string, text: string) => {
  const compiled = wildcards(pattern, true);
  return compiled !== undefined && matches(compiled, text);
};
const name = (pattern: string, text: string) => matches(wildcards(pattern, false)!, text);

describe("wildcards() and matches()", () => {
  it.each([
    ["foo", ["foo"], ["foot", "xfoo", ""]],
    ["f?o", ["foo", "f.o"], ["f/o", "fo"]],
    ["*.c", ["a.c", ".c"], ["a/b.c", "a.cc"]],
    ["a/*/c", ["a/b/c"], ["a/c", "a/b/b/c"]],
    ["**/c", ["c", "a/c", "a/b/c"], ["ac"]],
    ["a/**", ["a/b", "a/b/c"], ["a", "b/a"]],
    ["a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["a/xb", "ab"]],
    ["a**b", ["axxb", "ab"], ["a/b"]],
    ["[a-c]x", ["ax", "cx"], ["dx", "-x"]],
    ["[!a-c]x", ["dx"], ["ax", "/x"]],
    ["[^a]", ["b"], ["a"]],
    ["[]-]", ["]", "-"], ["a"]],
    ["[[:digit:]_]", ["5", "_"], ["d", ":"]],
    ["[\\]]", ["]"], ["\\"]],
    ["\\*x", ["*x"], ["ax"]],
    ["[a-]", ["a", "-"], ["b"]],
  ])("%s matches %j and not %j", (pattern, yes, no) => {
    expect(yes.filter((text) => !path(pattern, text))).toEqual([]);
    expect(no.filter((text) => path(pattern, text))).toEqual([]);
  });

  it("lets every star of a name match anything, since a name has no slash", () => {
    expect([name("*", "a/b"), name("a*c", "a/b/c"), name("?", "/")]).toEqual([true, true, true]);
  });

  it.each(["[", "[a", "[]", "[[:nosuch:]]", "a\\", "[a-\\"])("%s can match nothing", (pattern) =>
    expect(wildcards(pattern, true)).toBeUndefined(),
  );

  it("takes time proportional to the product of both lengths", () => {
    const text = "a".repeat(2_000);
    expect(path(`${"a*".repeat(200)}b`, `${text}b`)).toBe(true);
    expect(path(`${"*a".repeat(200)}b`, text)).toBe(false);
  });
});
