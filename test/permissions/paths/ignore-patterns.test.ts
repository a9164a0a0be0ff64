import { expect, it } from "vitest";
import { ignorePatterns } from "../../../src/permissions/paths/ignore-patterns.ts";
import { toolIgnore } from "../../../src/permissions/paths/toolignore.ts";
import { compareWithGit } from "../../fuzz/ignore.ts";

it("means what git means, in 20,000 pairs of patterns and a path", () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  const { pairs, differences } = compareWithGit({ seed, pairs: 20_000 });
  expect({ seed, pairs, differences }).toEqual({ seed, pairs: 20_000, differences: [] });
});

it("says of a path whether it is ignored, included again, or not mentioned", () => {
  const judge = ignorePatterns("*.log\n!keep.log\nbuild/\n");
  const paths = ["a.log", "x/a.log", "keep.log", "build/", "build", "build/keep.log", "a.txt"];
  expect(paths.map(judge)).toEqual(["ignored", "ignored", "kept", "ignored", "unsaid", "ignored", "unsaid"]);
});

it("takes bounded time, whatever the pattern is", () => {
  const judge = ignorePatterns(`${"*a".repeat(500)}b\n${"**/a/".repeat(300)}b\n${"[*]?*".repeat(300)}`);
  expect(judge(`${"a".repeat(200)}/${"a/".repeat(50)}c`)).toBe("unsaid");
});

it("hides from agents what git would ignore, and what a file system might treat as the same", () => {
  const ignore = toolIgnore({ text: "secrets/\n*.key\n!public.key\n", folder: "/repo" });
  const hidden = (path: string, file?: true) => ignore.hides({ written: path, real: path, ...(file && { file }) })?.text;
  expect(["/repo/secrets/a", "/repo/SECRETS/a", "/repo/x/A.KEY", "/repo/public.key", "/else/a.key"].map((path) => hidden(path))).toEqual([
    "secrets/",
    "secrets/",
    "*.key",
    undefined,
    undefined,
  ]);
  expect([hidden("/repo/secrets"), hidden("/repo/secrets", true)]).toEqual(["secrets/", undefined]);
  expect(ignore.hides({ written: "/repo/secrets/a", real: "/elsewhere/a" })?.text).toBe("secrets/");
});
