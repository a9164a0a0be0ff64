import { describe, expect, it } from "vitest";
import { commonFile, isNamed } from "../../../src/batch/plan/file-patterns.ts";

describe("commonFile()", () => {
  it.each([
    ["src/a.js", "src/a.js", "src/a.js"],
    ["./src/a.js", "src/a.js", "./src/a.js"],
    ["src", "src/a.js", "src"],
    ["src/*.js", "src/a.js", "src/a.js"],
    ["src/**", "src/db/a.js", "src/db/a.js"],
    ["src/**/a.js", "src/a.js", "src/a.js"],
    ["src/*.js", "src/**/a.js", "src/**/a.js"],
    ["**/*.ts", "src/*.ts", "src/*.ts"],
  ])("finds an overlap of %s and %s", (one, other, shared) => {
    expect(commonFile([one], [other])).toBe(shared);
  });

  it.each([
    ["src/a.js", "src/ab.js"],
    ["src/a", "src/ab/c.js"],
    ["src/*.js", "src/db/a.js"],
    ["src/*.js", "src/*.ts"],
    ["src/http/*.js", "src/db/*.js"],
  ])("finds no overlap of %s and %s", (one, other) => {
    expect(commonFile([one], [other])).toBeUndefined();
  });
});

describe("isNamed()", () => {
  it("knows files below a folder and by a pattern", () => {
    const files = ["src/db/", "test/*.js", "README.md"];
    expect(["src/db/a/b.js", "test/a.js", "README.md", "test/a/b.js", "src/http.js"].map((path) => isNamed(path, files))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});
