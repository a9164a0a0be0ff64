import { expect, it } from "vitest";
import { madeFiles } from "../../../src/permissions/commands/kept-files.ts";

it("contains created files, and everything in a created folder", () => {
  const made = madeFiles();
  made.note("/repo/build");
  made.note("/repo/a.ts");
  expect(["/repo/build", "/repo/build/x/y.js", "/repo/a.ts"].filter((path) => !made.has(path))).toEqual([]);
  made.disown("/repo/build/x");
  expect(["/repo/build/y.js", "/repo/build/x/y.js"].map(made.has)).toEqual([true, false]);
  expect(["/repo", "/repo/builder", "/repo/b.ts"].filter(made.has)).toEqual([]);
});
