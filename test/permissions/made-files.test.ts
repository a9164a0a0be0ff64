import { expect, it } from "vitest";
import { madeFiles } from "../../src/permissions/made-files.ts";

it("has what was made, and all that a made folder holds", () => {
  const made = madeFiles();
  made.note("/repo/build");
  made.note("/repo/a.ts");
  expect(["/repo/build", "/repo/build/x/y.js", "/repo/a.ts"].filter((path) => !made.has(path))).toEqual([]);
  expect(["/repo", "/repo/builder", "/repo/b.ts"].filter(made.has)).toEqual([]);
});
