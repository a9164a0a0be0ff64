import { describe, expect, it } from "vitest";
import { meets, readGlob } from "../../../src/permissions/paths/glob-meets.ts";
import { seeded } from "../../process/seeded.ts";

const meet = (glob: string, pattern: string) => meets({ base: "/repo", pattern })(readGlob(`/repo/${glob}`));

describe("meets()", () => {
  it.each([
    ["/secret/**", ["s*t/key", "s*/key", "secre?/key", "[s]ecret/key", "SECRE?/key", "*/../secre?/key", "s*"], ["*/key", "*", "?????t*/x"]],
    ["secret/", ["a/s*t/key", "*/secret/x"], ["*/x"]],
    ["/secret/key", ["*/key", "s*/key", "secret/k*"], ["secret/*", "*/*"]],
    ["*.pem", ["a/*.p?m", "*.pem", "x*.pem"], ["a/*", "a.???", "a*"]],
    [".env*", [".e*", ".env.*", "a/.?nv"], [".*"]],
    ["/a/**/key", ["a/b/c/k*", "a/k*y"], ["a/b/*"]],
  ])("says that %s may be matched by %j, and that only wildcards leave room for it in %j", (pattern, spelled, possible) => {
    expect(spelled.map((glob) => meet(glob.replace("*/../", ""), pattern))).toEqual(spelled.map(() => "spelled"));
    expect(possible.map((glob) => meet(glob, pattern))).toEqual(possible.map((glob) => (glob === "?????t*/x" ? "spelled" : "possible")));
  });

  it("says nothing if no name matches both", () => {
    const apart = [
      ["src/*.ts", "*.pem"],
      ["*", ".env"],
      ["*/x", "/.secret/**"],
      ["src/s*", "/secret/**"],
      ["test/*/a.ts", "/src/**"],
      ["/a*", "b"],
    ] as const;
    expect(apart.map(([glob, pattern]) => meet(glob, pattern))).toEqual(apart.map(() => undefined));
    expect(meets({ base: "/repo", pattern: "secret" })(readGlob("/other/s*"))).toBeUndefined();
  });

  it("leaves room for every name that matches both, whatever the wildcards are", () => {
    const random = seeded(20261121);
    const pick = (from: string) => from.charAt(Math.floor(random() * from.length));
    for (let round = 0; round < 2000; round++) {
      const name = Array.from({ length: 1 + Math.floor(random() * 5) }, () => pick("ab.c")).join("");
      if (name.startsWith(".")) continue;
      const masked = () => name.replaceAll(/./g, (letter) => (random() < 0.3 ? "?" : random() < 0.3 ? "*" : letter));
      const [glob, pattern] = [masked(), masked()];
      if (!/[*?]/.test(glob) || pattern === "**") continue;
      expect([name, glob, pattern, meet(glob, pattern) !== undefined]).toEqual([name, glob, pattern, true]);
    }
  });
});
