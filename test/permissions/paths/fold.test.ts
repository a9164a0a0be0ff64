import { expect, it } from "vitest";
import { fold } from "../../../src/permissions/paths/fold.ts";

it.each([
  ["src/App.TS", "src/app.ts"],
  ["~/.GIT/[Hooks] ^_`{|}", "~/.git/[hooks] ^_`{|}"],
  ["\u017fecret", "secret"],
  ["caf\u0065\u0301", "caf\u00e9"],
  [".g\u200dit/con\u00adfig", ".git/config"],
  ["STRASSE/\u00df", "strasse/ss"],
  ["\u212a", "k"],
])("fold() takes %j for %j", (path, same) => {
  expect(fold(path)).toBe(fold(same));
  expect(fold(fold(path))).toBe(fold(path));
});

it("fold() tells names apart that no file system takes for the same", () => {
  expect(fold("a-b")).not.toBe(fold("a_b"));
  expect(fold("\u00e9")).not.toBe(fold("e"));
});
