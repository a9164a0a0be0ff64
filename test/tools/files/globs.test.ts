import { describe, expect, it } from "vitest";
import { globs } from "../../../src/tools/files/globs.ts";

/** The paths that a pattern matches, or why it is refused. */
function matching(pattern: string, paths: string[], anywhere = false): string[] | string {
  const made = globs(pattern, { anywhere });
  return made.ok ? paths.filter(made.matches) : made.reason;
}

const paths = ["a.ts", "src/b.ts", "src/.hidden/c.ts", "src/d.js"];

describe("globs()", () => {
  it("compares a pattern with the whole path, or with the name alone", () => {
    expect(matching("*.ts", paths)).toEqual(["a.ts"]);
    expect(matching("*.ts", paths, true)).toEqual(["a.ts", "src/b.ts", "src/.hidden/c.ts"]);
    expect(matching("src/*.ts", paths, true)).toEqual(["src/b.ts"]);
  });

  it("includes hidden folders, braces, and a pattern that begins with ./", () => {
    expect(matching("**", paths)).toEqual(paths);
    expect(matching("./src/*.{ts,js}", paths)).toEqual(["src/b.ts", "src/d.js"]);
  });

  it("refuses an empty pattern, and one whose stars would block the thread", () => {
    expect(matching("", paths)).toBe("the pattern is empty. Use ** for every file");
    expect(matching("a*b*c*d*e*f", paths)).toMatch(/^the pattern has more than 4 stars/);
    expect(matching("**/a/**/b/**/c/**/d/**", paths)).toMatch(/^the pattern has more than 4 stars/);
    expect(matching("*/*/*/*/*/*", paths)).toEqual([]);
  });

  it("takes the brackets of extended patterns literally", () => {
    expect(matching("+(a).ts", ["a.ts", "aa.ts"])).toEqual([]);
  });
});
